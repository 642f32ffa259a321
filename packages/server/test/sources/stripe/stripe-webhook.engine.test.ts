import { describeEngine } from '../../support/engine.js';
import { stripeWebhookSuite } from './support/stripe-webhook-suite.js';

describeEngine(stripeWebhookSuite);
