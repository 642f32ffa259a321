import { alertsSuite } from './support/alerts-suite.js';
import { describeEngine } from './support/engine.js';

describeEngine(alertsSuite);
