import { constants, getPriority, setPriority } from 'node:os';
import process from 'node:process';
import { parentPort, workerData } from 'node:worker_threads';
import { runExport, type VerifyChain } from '../domains/evidence/exports/index.js';
import { reconcile } from '../domains/evidence/reconciliation/index.js';
import { signedNotes } from '../domains/evidence/transparency/index.js';
import { verifyActivity } from '../domains/log/activity/index.js';
import { verifyDecisions } from '../domains/record/decisions/index.js';
import { systemClock } from '../platform/clock.js';
import { serviceLogin } from '../platform/connection.js';
import { openDatabase } from '../platform/database.js';
import { openFileStore } from '../platform/files/open.js';
import { Keyring } from '../platform/keyring/keyring.js';
import { installationOf } from '../platform/statement.js';
import { VERSION } from '../version.js';
import type { ExportThreadData, ThreadReport } from './messages.js';

/** Creates one export, then ends. */
const { address, files: filesAddress, workDir, signedDir, ...asked }: ExportThreadData = workerData;
const { keyring, scope, exportId, isInBackground } = asked;
// On Linux this is the priority of the thread; elsewhere it would be that of the whole process. It may be as low already.
const { PRIORITY_BELOW_NORMAL } = constants.priority;
if (isInBackground && process.platform === 'linux' && getPriority() < PRIORITY_BELOW_NORMAL) {
  setPriority(PRIORITY_BELOW_NORMAL);
}
const db = openDatabase({ ...serviceLogin(address), maxConnections: 2 });
const clock = systemClock;
const files = await openFileStore(filesAddress);
const stop = new AbortController();
parentPort?.on('message', () => stop.abort());

const tools = {
  db,
  installation: installationOf(db),
  clock,
  files,
  workDir,
  signedNotes: signedNotes(signedDir),
  version: VERSION,
  keyring: Keyring.from(keyring),
  verify: (...[own, chain, request]: Parameters<VerifyChain>) =>
    (chain === 'decisions' ? verifyDecisions : verifyActivity)(db.ledger(own), request),
  reconcile: (own: typeof scope) => reconcile(db.ledger(own)),
  onFailure: (error: unknown) =>
    report({ failure: error instanceof Error ? error.message : String(error) }),
  onRestart: (restart: string) => report({ restart }),
  onSealed: () => report({ reached: 'sealed' }),
};

function report(message: ThreadReport): void {
  parentPort?.postMessage(message);
}

try {
  await runExport(db.ledger(scope), tools, exportId, stop.signal);
} catch (error) {
  if (!stop.signal.aborted || error !== stop.signal.reason) throw error;
  report({ reached: 'stopped' });
} finally {
  await Promise.all([db.close(), files.close()]);
  parentPort?.close();
}
