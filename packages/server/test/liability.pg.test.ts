import { liabilitySuite } from './support/liability-suite.js';
import { describePostgres } from './support/postgres.js';

describePostgres('on PostgreSQL', () => liabilitySuite('postgres'));
