import { parentPort, workerData } from 'node:worker_threads';
import { LedgerError } from '@decision-ledger/contract/errors';
import { verifyActivity } from '../domains/log/activity/index.js';
import { verifyDecisions } from '../domains/record/decisions/index.js';
import { serviceClient } from '../platform/address.js';
import { openDatabase } from '../platform/database.js';
import type { ThreadData, VerificationReport, VerificationRequest } from './messages.js';

/** Verifies chains in a worker thread with its own connections. */
const { address }: ThreadData = workerData;
const db = openDatabase({
  client: serviceClient(address),
  role: address.kind === 'embedded' ? null : 'ledger_app',
  maxConnections: 2,
});

parentPort?.on('message', (request: VerificationRequest) => {
  void run(request).then((report) => parentPort?.postMessage(report));
});

async function run({
  id,
  scope,
  chain,
  request,
}: VerificationRequest): Promise<VerificationReport> {
  const verify = chain === 'decisions' ? verifyDecisions : verifyActivity;
  try {
    return { id, verification: await verify(db, scope, request) };
  } catch (error) {
    return {
      id,
      error: error instanceof Error ? error.message : String(error),
      unavailable: error instanceof LedgerError,
    };
  }
}
