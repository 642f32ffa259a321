import { describe } from 'vitest';
import { describeEngine } from '../support/engine.js';
import { complianceSuite } from './support/compliance-suite.js';

describeEngine((engine) => {
  describe('Compliance bundle', () => complianceSuite(engine));
});
