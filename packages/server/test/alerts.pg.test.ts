import { alertsSuite } from './support/alerts-suite.js';
import { describePostgres } from './support/postgres.js';

describePostgres('on a PostgreSQL server', () => alertsSuite('postgres'));
