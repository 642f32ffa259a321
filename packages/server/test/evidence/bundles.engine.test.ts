import { describeEngine } from '../support/engine.js';
import { bundlesSuite } from './support/bundles-suite.js';

describeEngine(bundlesSuite);
