import { bundlesSuite } from './support/bundles-suite.js';
import { describePostgres } from './support/postgres.js';

describePostgres('on PostgreSQL', () => bundlesSuite('postgres'));
