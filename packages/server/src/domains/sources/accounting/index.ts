export { ACCOUNTING_POLLS, accountingJobs, requestDuePolls } from './poll.js';
export { resealRefreshTokens } from './refresh-token.js';
