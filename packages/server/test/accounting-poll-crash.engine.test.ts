import { describePollCrashes } from './support/accounting-crash-suite.js';
import { describeEngine } from './support/engine.js';

describeEngine(describePollCrashes);
