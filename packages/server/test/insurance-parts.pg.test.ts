import { insuranceSuite } from './support/insurance-suite.js';
import { describePostgres } from './support/postgres.js';

describePostgres('an insurance bundle of a ledger on PostgreSQL', () => {
  insuranceSuite('postgres');
});
