import { moneyChangesSuite } from './support/money-changes-suite.js';
import { describePostgres } from './support/postgres.js';

describePostgres('on a PostgreSQL server', () => moneyChangesSuite('postgres'));
