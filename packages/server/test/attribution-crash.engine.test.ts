import { describe } from 'vitest';
import { describeCorrelationCrashes } from './support/correlation-crash-suite.js';
import { describeEngine } from './support/engine.js';

describeEngine((engine) => {
  describe('correlation', () => describeCorrelationCrashes(engine));
});
