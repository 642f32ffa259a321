import { describe } from 'vitest';
import { complianceSuite } from './support/compliance-suite.js';

describe('a compliance bundle of an embedded ledger', () => {
  complianceSuite('embedded');
});
