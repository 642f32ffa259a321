import { erasureCopiesSuite } from './support/erasure-copies-suite.js';
import { erasureSuite } from './support/erasure-suite.js';
import { erasureTamperSuite } from './support/erasure-tamper-suite.js';
import { describePostgres } from './support/postgres.js';

describePostgres('on PostgreSQL', () => {
  erasureSuite('postgres');
  erasureCopiesSuite('postgres');
  erasureTamperSuite('postgres');
});
