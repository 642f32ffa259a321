import { describeCorrelationCrashes } from './support/attribution-crash-suite.js';
import { describePostgres } from './support/postgres.js';

describePostgres('correlation on PostgreSQL', () => describeCorrelationCrashes('postgres'));
