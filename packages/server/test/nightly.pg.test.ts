import { nightlySuite } from './support/nightly-suite.js';
import { describePostgres } from './support/postgres.js';

describePostgres('on PostgreSQL', () => nightlySuite('postgres'));
