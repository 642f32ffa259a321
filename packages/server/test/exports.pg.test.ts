import { exportsSuite } from './support/exports-suite.js';
import { describePostgres } from './support/postgres.js';

describePostgres('on PostgreSQL', () => exportsSuite('postgres'));
