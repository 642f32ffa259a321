import { describePollCrashes } from './support/accounting-crash-suite.js';
import { describePostgres } from './support/postgres.js';

describePostgres('on PostgreSQL', () => describePollCrashes('postgres'));
