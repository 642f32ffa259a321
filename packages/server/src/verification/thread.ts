import { parentPort, workerData } from 'node:worker_threads';
import { LedgerError } from '@decision-ledger/contract/errors';
import { reconcileWithHistory } from '../domains/evidence/reconciliation/index.js';
import { verifyActivity } from '../domains/log/activity/index.js';
import { verifyDecisions } from '../domains/record/decisions/index.js';
import type { ReadVerification } from '../http/chain-verification.js';
import { serviceLogin } from '../platform/connection.js';
import { openDatabase } from '../platform/database.js';
import type { Ledger } from '../platform/ledger.js';
import { openReads } from '../platform/replica.js';
import type { TaskReport, TaskRequest, VerificationThreadData, VerifyTask } from './messages.js';

/** Verifies chains and reconciles tables in a worker thread with its own connections. */
const { address }: VerificationThreadData = workerData;
const maxConnections = 2;
const db = openDatabase({ ...serviceLogin(address), maxConnections });
const reads = openReads({ address, context: db.context, maxConnections });

parentPort?.on('message', (request: TaskRequest) => {
  void run(request).then((report) => parentPort?.postMessage(report));
});

async function run(request: TaskRequest): Promise<TaskReport> {
  const { id, scope } = request;
  try {
    if (request.task === 'reconcile')
      return { id, reconciliation: await reconcileWithHistory(db.ledger(scope)) };
    return { id, verification: await verify(db.ledger(scope), request) };
  } catch (error) {
    return {
      id,
      error: error instanceof Error ? error.message : String(error),
      unavailable: error instanceof LedgerError,
    };
  }
}

/** What a replica lacks is for the primary to say, which may have erased it. */
function verify(ledger: Ledger, { chain, request }: VerifyTask): Promise<ReadVerification> {
  const walk = chain === 'decisions' ? verifyDecisions : verifyActivity;
  return reads.run(ledger, async (read, server) => {
    const verification = await walk(read, request);
    if (verification.finding !== null && server === 'replica') {
      throw new Error('a chain on the replica is broken');
    }
    return { ...verification, server };
  });
}
