import { describeEngine } from '../support/engine.js';
import { moneyIdempotencySuite } from './support/money-idempotency-suite.js';

describeEngine(moneyIdempotencySuite);
