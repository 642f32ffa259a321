import { moneyListsSuite } from './support/money-lists-suite.js';
import { describePostgres } from './support/postgres.js';

describePostgres('on a PostgreSQL server', () => moneyListsSuite('postgres'));
