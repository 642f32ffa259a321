import { describeEngine } from '../support/engine.js';
import { batchKeysSuite } from './support/batch-keys-suite.js';

describeEngine(batchKeysSuite);
