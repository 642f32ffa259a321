import { analyticsSuite } from './support/analytics-suite.js';
import { describePostgres } from './support/postgres.js';

describePostgres('on PostgreSQL', () => analyticsSuite('postgres'));
