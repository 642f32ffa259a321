import { keysSuite } from './support/keys-suite.js';
import { describePostgres } from './support/postgres.js';

describePostgres('several processes on one PostgreSQL', () => keysSuite('postgres'));
