import { describeEngine } from '../support/engine.js';
import { transparencySuite } from './support/transparency-suite.js';

describeEngine(transparencySuite);
