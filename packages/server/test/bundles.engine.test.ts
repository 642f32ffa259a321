import { bundlesSuite } from './support/bundles-suite.js';
import { describeEngine } from './support/engine.js';

describeEngine(bundlesSuite);
