import { stripeWebhookSuite } from './support/stripe-webhook-suite.js';

stripeWebhookSuite('embedded');
