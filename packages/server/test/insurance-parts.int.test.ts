import { describe } from 'vitest';
import { insuranceSuite } from './support/insurance-suite.js';

describe('an insurance bundle of an embedded ledger', () => {
  insuranceSuite('embedded');
});
