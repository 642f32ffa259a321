import { describeEngine } from '../../support/engine.js';
import { alertsSuite } from './support/alerts-suite.js';

describeEngine(alertsSuite);
