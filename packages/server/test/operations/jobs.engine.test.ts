import { describeEngine } from '../support/engine.js';
import { jobsSuite } from './support/jobs-suite.js';

describeEngine(jobsSuite);
