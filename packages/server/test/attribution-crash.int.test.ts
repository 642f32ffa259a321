import { describe } from 'vitest';
import { describeCorrelationCrashes } from './support/correlation-crash-suite.js';

describe('correlation on the embedded engine', () => describeCorrelationCrashes('embedded'));
