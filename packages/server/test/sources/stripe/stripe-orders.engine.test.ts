import { describeEngine } from '../../support/engine.js';
import { stripeOrdersSuite } from './support/stripe-orders-suite.js';

describeEngine(stripeOrdersSuite);
