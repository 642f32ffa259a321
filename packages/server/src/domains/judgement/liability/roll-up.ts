import type { Database, Transaction } from '../../../platform/database.js';
import type { Installation } from '../../../platform/installation.js';
import type { Scope } from '../../../platform/scope.js';
import { addToCells } from './store/exposure.js';
import {
  lockState,
  selectHeadSeq,
  selectUnrolledLedgers,
  updateState,
} from './store/liability-states.js';

/** Estimates that are added in one transaction. */
const STEP = 2000;

/** Adds the estimates of new decisions to the cells, so that analyses stay fast. */
export async function rollUpLedgers({
  db,
  installation,
}: {
  readonly db: Database;
  readonly installation: Installation;
}): Promise<void> {
  for (const scope of await selectUnrolledLedgers(installation)) await rollUpLedger(db, scope);
}

export async function rollUpLedger(db: Database, scope: Scope): Promise<void> {
  let hasMore = true;
  while (hasMore) hasMore = await db.transaction((tx) => rollUp(tx, scope));
}

/** @returns whether there are more estimates to add */
async function rollUp(tx: Transaction, scope: Scope): Promise<boolean> {
  const state = await lockState(tx, scope);
  const head = await selectHeadSeq(tx, scope);
  const after = state.rolled_seq;
  if (after >= head) return false;
  const until = Math.min(head, after + STEP);
  await addToCells(tx, scope, { after, until });
  await updateState(tx, scope, { ...state, rolled_seq: until });
  return until < head;
}
