import { paginationSuite } from './support/pagination-suite.js';
import { describePostgres } from './support/postgres.js';

describePostgres('on a PostgreSQL server', () => paginationSuite('postgres'));
