import { describeEngine } from '../support/engine.js';
import { presentationsSuite } from './support/presentations-suite.js';

describeEngine(presentationsSuite);
