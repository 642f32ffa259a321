export {
  ACCOUNTING_POLLS,
  accountingJobs,
  listConnections,
  releaseWithheld,
  requestDuePolls,
} from './poll.js';
export { resealRefreshTokens } from './refresh-token.js';
