import { describe } from 'vitest';
import { describePollCrashes } from './support/accounting-crash-suite.js';

describe('on the embedded engine', () => describePollCrashes('embedded'));
