import { stripeOrdersSuite } from './support/stripe-orders-suite.js';

stripeOrdersSuite('embedded');
