import { describePostgres } from './support/postgres.js';
import { streamSuite } from './support/stream-suite.js';

describePostgres('on a PostgreSQL server', () => streamSuite('postgres'));
