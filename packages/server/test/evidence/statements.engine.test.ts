import { describeEngine } from '../support/engine.js';
import { statementsSuite } from './support/statements-suite.js';

describeEngine(statementsSuite);
