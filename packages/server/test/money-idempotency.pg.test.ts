import { moneyIdempotencySuite } from './support/money-idempotency-suite.js';
import { describePostgres } from './support/postgres.js';

describePostgres('on a PostgreSQL server', () => moneyIdempotencySuite('postgres'));
