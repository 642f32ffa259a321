import { describeEngine } from '../support/engine.js';
import { moneyListsSuite } from './support/money-lists-suite.js';

describeEngine(moneyListsSuite);
