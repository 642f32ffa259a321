import { describe } from 'vitest';
import { describeEngine } from '../support/engine.js';
import { insuranceSuite } from './support/insurance-suite.js';

describeEngine((engine) => {
  describe('Insurance bundle', () => insuranceSuite(engine));
});
