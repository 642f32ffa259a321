import { moneyIdempotencySuite } from './support/money-idempotency-suite.js';

moneyIdempotencySuite('embedded');
