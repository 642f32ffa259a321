import { describeEngine } from '../support/engine.js';
import { transparencyCrashSuite } from './support/transparency-crash-suite.js';

describeEngine(transparencyCrashSuite);
