import { idempotencySuite } from './support/idempotency-suite.js';
import { describePostgres } from './support/postgres.js';

describePostgres('on a PostgreSQL server', () => idempotencySuite('postgres'));
