import type { Database, Transaction } from '../../platform/database.js';
import type { Scope } from '../../platform/scope.js';
import { addToCells } from './store/add-to-cells.js';
import { lockState } from './store/lock-state.js';
import { selectHeadSeq } from './store/select-head-seq.js';
import { selectUnrolledLedgers } from './store/select-unrolled-ledgers.js';
import { updateState } from './store/update-state.js';

/** Estimates that are summed up in one transaction. */
const STEP = 5000;

/** Sums up the estimates of decisions that came since the last time, so that analyses stay fast. */
export async function rollUpLedgers(db: Database): Promise<void> {
  for (const scope of await selectUnrolledLedgers(db)) await rollUpLedger(db, scope);
}

export async function rollUpLedger(db: Database, scope: Scope): Promise<void> {
  let isBehind = true;
  while (isBehind) isBehind = await db.transaction((tx) => rollUp(tx, scope));
}

/** @returns whether there is more to sum up */
async function rollUp(tx: Transaction, scope: Scope): Promise<boolean> {
  const state = await lockState(tx, scope);
  const head = await selectHeadSeq(tx, scope);
  // While some decisions have no estimate the sums would miss them for good.
  if (state.unestimated_seq > 0 || state.rolled_seq >= head) return false;
  const rolled_seq = Math.min(head, state.rolled_seq + STEP);
  await addToCells(tx, scope, state.rolled_seq, rolled_seq);
  await updateState(tx, scope, { ...state, rolled_seq });
  return rolled_seq < head;
}
