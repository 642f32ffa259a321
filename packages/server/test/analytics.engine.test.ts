import { analyticsSuite } from './support/analytics-suite.js';
import { describeEngine } from './support/engine.js';

describeEngine(analyticsSuite);
