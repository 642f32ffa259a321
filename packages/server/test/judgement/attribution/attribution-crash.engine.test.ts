import { describe } from 'vitest';
import { describeEngine } from '../../support/engine.js';
import { describeCorrelationCrashes } from './support/correlation-crash-suite.js';

describeEngine((engine) => {
  describe('Correlation', () => describeCorrelationCrashes(engine));
});
