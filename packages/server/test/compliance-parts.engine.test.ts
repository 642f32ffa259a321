import { describe } from 'vitest';
import { complianceSuite } from './support/compliance-suite.js';
import { describeEngine } from './support/engine.js';

describeEngine((engine) => {
  describe('a compliance bundle', () => complianceSuite(engine));
});
