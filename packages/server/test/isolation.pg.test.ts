import { isolationSuite } from './support/isolation-suite.js';
import { describePostgres } from './support/postgres.js';

describePostgres('on a PostgreSQL server', () => isolationSuite('postgres'));
