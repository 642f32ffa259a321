import { describeEngine } from '../support/engine.js';
import { runningCostSuite } from './support/running-cost-suite.js';

describeEngine(runningCostSuite);
