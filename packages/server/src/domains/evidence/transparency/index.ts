export { LogKeyError, resealLogKeys } from './log-key.js';
export {
  type LogPin,
  type PinnedLogs,
  pinLogs,
  proveEach,
  provePinned,
  readNamingsAround,
  readPinned,
} from './pin.js';
export { type ProvenRecords, proveRecords } from './prove.js';
export {
  LOG_REBUILDS,
  logTiles,
  logTrees,
  rebuildLogs,
  requestDueRebuilds,
  transparencyJobs,
} from './rebuild.js';
export { checkpointFollower, signLastRounds, signRound } from './round.js';
export { receiptSigner, type SignReceipt } from './sign.js';
export {
  type Forgotten,
  findForgotten,
  forgottenText,
  requireRemembered,
  type SignedNotes,
  signedNotes,
} from './signed-notes.js';
export { LogFault } from './tree.js';
