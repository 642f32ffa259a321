import { complianceSuite } from './support/compliance-suite.js';
import { describePostgres } from './support/postgres.js';

describePostgres('a compliance bundle of a ledger on PostgreSQL', () => {
  complianceSuite('postgres');
});
