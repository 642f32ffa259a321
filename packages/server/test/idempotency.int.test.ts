import { idempotencySuite } from './support/idempotency-suite.js';

idempotencySuite('embedded');
