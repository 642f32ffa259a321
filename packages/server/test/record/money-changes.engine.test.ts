import { describeEngine } from '../support/engine.js';
import { moneyChangesSuite } from './support/money-changes-suite.js';

describeEngine(moneyChangesSuite);
