import { parentPort, workerData } from 'node:worker_threads';
import { LedgerError } from '@decision-ledger/contract/errors';
import { verifyActivity } from '../domains/log/activity/index.js';
import { verifyDecisions } from '../domains/record/decisions/index.js';
import { serviceClient } from '../platform/address.js';
import { openDatabase } from '../platform/database.js';
import type { ThreadData, WalkOrder, WalkReport } from './messages.js';

/** The thread in which chains are walked, with connections of its own. */
const { address }: ThreadData = workerData;
const db = openDatabase({
  client: serviceClient(address),
  role: address.kind === 'embedded' ? null : 'ledger_app',
  maxConnections: 2,
});

parentPort?.on('message', (order: WalkOrder) => {
  void walk(order).then((report) => parentPort?.postMessage(report));
});

async function walk({ id, scope, chain, request }: WalkOrder): Promise<WalkReport> {
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
