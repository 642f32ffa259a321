export { acceptLoss } from './accept.js';
export { checkRestored, type Loss, lossText } from './check.js';
export { missingText, RestoredLedgerError, requireServable } from './require-servable.js';
export { type RestoredLedger, selectRestored } from './store/restored-ledgers.js';
