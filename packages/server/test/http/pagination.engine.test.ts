import { describeEngine } from '../support/engine.js';
import { paginationSuite } from './support/pagination-suite.js';

describeEngine(paginationSuite);
