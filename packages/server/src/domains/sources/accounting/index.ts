export { requestDuePolls } from './due.js';
export { ACCOUNTING_POLLS } from './queue.js';
export { resealRefreshTokens, tryRefreshTokens } from './reseal.js';
