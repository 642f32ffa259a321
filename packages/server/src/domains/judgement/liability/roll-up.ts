import type { Clock } from '../../../platform/clock.js';
import type { Database, Transaction } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import { fillEstimates } from './fill.js';
import { currentModel } from './models.js';
import { countEstimates } from './store/estimates.js';
import { addToCells } from './store/exposure.js';
import {
  lockState,
  selectHeadSeq,
  selectUnrolledLedgers,
  updateState,
} from './store/liability-states.js';

export interface RollUpTools {
  readonly db: Database;
  readonly clock: Clock;
}

/** Estimates that are added in one transaction. */
const STEP = 2000;

/** Adds the estimates of new decisions to the cells, so that analyses stay fast. */
export async function rollUpLedgers(tools: RollUpTools): Promise<void> {
  for (const scope of await selectUnrolledLedgers(tools.db)) await rollUpLedger(tools, scope);
}

export async function rollUpLedger({ db, clock }: RollUpTools, scope: Scope): Promise<void> {
  let hasMore = true;
  while (hasMore) hasMore = await db.transaction((tx) => rollUp(tx, scope, clock.now()));
}

/** @returns whether there are more estimates to add */
async function rollUp(tx: Transaction, scope: Scope, now: number): Promise<boolean> {
  const state = await lockState(tx, scope);
  const head = await selectHeadSeq(tx, scope);
  const after = state.rolled_seq;
  if (after >= head) return false;
  const until = Math.min(head, after + STEP);
  const which = { after, until };
  if ((await countEstimates(tx, scope, which)) < until - after) {
    await fillEstimates(tx, scope, await currentModel(tx, scope, now), which);
  }
  await addToCells(tx, scope, which);
  await updateState(tx, scope, { ...state, rolled_seq: until });
  return until < head;
}
