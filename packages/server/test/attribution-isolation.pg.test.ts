import { describeAttributionIsolation } from './support/attribution-isolation-suite.js';
import { describePostgres } from './support/postgres.js';

describePostgres('on PostgreSQL', () => describeAttributionIsolation('postgres'));
