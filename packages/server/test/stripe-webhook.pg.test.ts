import { describePostgres } from './support/postgres.js';
import { stripeWebhookSuite } from './support/stripe-webhook-suite.js';

describePostgres('on a PostgreSQL server', () => stripeWebhookSuite('postgres'));
