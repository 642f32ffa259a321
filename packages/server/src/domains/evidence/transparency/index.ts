export { LogFault } from './fault.js';
export { type Forgotten, findForgotten, forgottenText, requireRemembered } from './forgotten.js';
export { LogKeyError } from './log-key.js';
export {
  type LogPin,
  pinLogs,
  proveActivity,
  provePinned,
  readLogKey,
  readNamingsAround,
  readPinned,
} from './pin.js';
export { type ProvenRecords, proveRecords } from './prove.js';
export { LOG_REBUILDS } from './queue.js';
export { rebuildLogs } from './rebuild.js';
export { requestDueRebuilds, signLastRounds } from './request-rounds.js';
export { resealLogKeys } from './reseal.js';
export { checkpoints, signRound } from './round.js';
export { receiptSigner, type SignReceipt } from './sign-receipt.js';
export { type SignedNotes, signedNotes } from './signed-notes.js';
