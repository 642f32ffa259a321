import { formatTimestamp } from '@decision-ledger/contract/time';
import { readChain } from '../../../platform/chain/read-head.js';
import type { Clock } from '../../../platform/clock.js';
import type { Database, Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/** The state of a ledger that figures are of. */
export interface State {
  /** RFC 3339. */
  readonly as_of: string;
  /** Of the last record of the activity chain. */
  readonly activity_seq: number;
  readonly activity_hash: string;
}

export interface ReadTools {
  readonly db: Database;
  readonly clock: Clock;
}

/**
 * Reads figures by several statements that see one state. Each change of money, rates and settings is
 * recorded in the activity chain: while its head is the same, nothing has changed. If it moves, all is
 * read again in one snapshot, which is slower.
 */
export async function readConsistent<Result>(
  { db, clock }: ReadTools,
  scope: Scope,
  read: (db: Queryable) => Promise<Result>,
): Promise<{ readonly state: State; readonly result: Result }> {
  const state = await readState(db, scope, clock);
  const result = await read(db);
  const after = await readState(db, scope, clock);
  if (after.activity_seq === state.activity_seq) return { state, result };
  return readSnapshot({ db, clock }, scope, read);
}

/** Reads figures in one snapshot of the database. */
export function readSnapshot<Result>(
  { db, clock }: ReadTools,
  scope: Scope,
  read: (db: Queryable) => Promise<Result>,
): Promise<{ readonly state: State; readonly result: Result }> {
  return db.transaction(async (tx) => {
    await tx.query({
      text: 'set transaction isolation level repeatable read, read only',
      values: [],
    });
    return { state: await readState(tx, scope, clock), result: await read(tx) };
  });
}

export async function readState(db: Queryable, scope: Scope, clock: Clock): Promise<State> {
  const asOf = clock.now();
  const chain = await readChain(db, scope, 'activity');
  return {
    as_of: formatTimestamp(asOf),
    activity_seq: chain?.seq ?? 0,
    activity_hash: chain?.hash ?? '',
  };
}
