import { describePostgres } from '../support/postgres.js';
import { pageBytesSuite } from './support/page-bytes-suite.js';

describePostgres('on a PostgreSQL server', () => pageBytesSuite('postgres'));
