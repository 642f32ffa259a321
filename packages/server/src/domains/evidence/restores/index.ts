export {
  acceptLoss,
  checkRestored,
  type Loss,
  lossText,
  missingText,
  RestoredLedgerError,
  requireServable,
} from './loss.js';
export { type RestoredLedger, selectRestored } from './store/restored-ledgers.js';
