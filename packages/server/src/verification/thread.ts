import { parentPort, workerData } from 'node:worker_threads';
import { LedgerError } from '@decision-ledger/contract/errors';
import { reconcileWithHistory } from '../domains/evidence/reconciliation/index.js';
import { verifyActivity } from '../domains/log/activity/index.js';
import { verifyDecisions } from '../domains/record/decisions/index.js';
import { serviceLogin } from '../platform/connection.js';
import { openDatabase } from '../platform/database.js';
import type { TaskReport, TaskRequest, VerificationThreadData } from './messages.js';

/** Verifies chains and reconciles tables in a worker thread with its own connections. */
const { address }: VerificationThreadData = workerData;
const db = openDatabase({ ...serviceLogin(address), maxConnections: 2 });

parentPort?.on('message', (request: TaskRequest) => {
  void run(request).then((report) => parentPort?.postMessage(report));
});

async function run(request: TaskRequest): Promise<TaskReport> {
  const { id, scope } = request;
  try {
    if (request.task === 'reconcile')
      return { id, reconciliation: await reconcileWithHistory(db.ledger(scope)) };
    const verify = request.chain === 'decisions' ? verifyDecisions : verifyActivity;
    return { id, verification: await verify(db.ledger(scope), request.request) };
  } catch (error) {
    return {
      id,
      error: error instanceof Error ? error.message : String(error),
      unavailable: error instanceof LedgerError,
    };
  }
}
