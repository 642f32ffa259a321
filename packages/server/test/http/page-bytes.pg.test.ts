import { describePostgres } from '../support/postgres.js';
import { pageBytesSuite } from './support/page-bytes-suite.js';

describePostgres('PostgreSQL server', () => pageBytesSuite('postgres'));
