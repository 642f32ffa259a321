import { describeEngine } from '../support/engine.js';
import { uploadsSuite } from './support/uploads-suite.js';

describeEngine(uploadsSuite);
