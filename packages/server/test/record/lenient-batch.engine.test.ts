import { describeEngine } from '../support/engine.js';
import { lenientBatchSuite } from './support/lenient-batch-suite.js';

describeEngine(lenientBatchSuite);
