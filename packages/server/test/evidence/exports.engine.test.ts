import { describeEngine } from '../support/engine.js';
import { exportsSuite } from './support/exports-suite.js';

describeEngine(exportsSuite);
