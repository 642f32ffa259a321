import { pageBytesSuite } from './support/page-bytes-suite.js';
import { describePostgres } from './support/postgres.js';

describePostgres('on a PostgreSQL server', () => pageBytesSuite('postgres'));
