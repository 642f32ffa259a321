export { requestDuePolls } from './due.js';
export { ACCOUNTING_POLLS } from './queue.js';
export { resealRefreshTokens } from './reseal.js';
