import { describeEngine } from '../../support/engine.js';
import { budgetsSuite } from './support/budgets-suite.js';

describeEngine(budgetsSuite);
