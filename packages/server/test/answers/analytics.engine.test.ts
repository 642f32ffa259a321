import { describeEngine } from '../support/engine.js';
import { analyticsSuite } from './support/analytics-suite.js';

describeEngine(analyticsSuite);
