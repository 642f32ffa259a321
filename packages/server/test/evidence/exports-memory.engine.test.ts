import { describeEngine } from '../support/engine.js';
import { exportsMemorySuite } from './support/exports-memory-suite.js';

describeEngine(exportsMemorySuite);
