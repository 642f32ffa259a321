import { describeEngine } from '../support/engine.js';
import { isolationSuite } from './support/isolation-suite.js';

describeEngine(isolationSuite);
