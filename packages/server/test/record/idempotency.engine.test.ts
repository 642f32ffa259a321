import { describeEngine } from '../support/engine.js';
import { idempotencySuite } from './support/idempotency-suite.js';

describeEngine(idempotencySuite);
