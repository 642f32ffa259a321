import { describePostgres } from './support/postgres.js';
import { stripeOrdersSuite } from './support/stripe-orders-suite.js';

describePostgres('on a PostgreSQL server', () => stripeOrdersSuite('postgres'));
