import { describeCorrelationCrashes } from './support/correlation-crash-suite.js';
import { describePostgres } from './support/postgres.js';

describePostgres('correlation on PostgreSQL', () => describeCorrelationCrashes('postgres'));
