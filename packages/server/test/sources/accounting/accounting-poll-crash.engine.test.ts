import { describeEngine } from '../../support/engine.js';
import { describePollCrashes } from './support/accounting-crash-suite.js';

describeEngine(describePollCrashes);
