import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/** How far the work on a ledger's estimates has come; times in ms, days as `2026-04-16`. */
export interface StateRow {
  /** Decisions up to here have an estimate and are summed up in the cells. */
  readonly rolled_seq: number;
  /** That of all estimates; null while there are several, or none yet. */
  readonly currency: string | null;
  /** The nightly run that is under way, or was the last. */
  readonly run_day: string | null;
  readonly run_as_of: number | null;
  /** Null until the run has learned what it estimates with. */
  readonly run_snapshot: number | null;
  readonly run_after_seq: number | null;
  readonly run_until_seq: number | null;
  readonly completed_day: string | null;
}

/** Locks the estimates of a ledger against every other change until the transaction ends. */
export async function lockState(tx: Queryable, { ledgerId }: Scope): Promise<StateRow> {
  const lock = () =>
    tx.query<StateRow>(sql`
      select rolled_seq, currency, run_day::text as run_day,
        (extract(epoch from run_as_of) * 1000)::bigint as run_as_of, run_snapshot, run_after_seq,
        run_until_seq, completed_day::text as completed_day
      from liability_states where ledger_id = ${ledgerId} for update`);
  const [state] = await lock();
  if (state !== undefined) return state;
  await tx.query(sql`
    insert into liability_states (ledger_id, rolled_seq)
    values (${ledgerId}, 0) on conflict (ledger_id) do nothing`);
  const [fresh] = await lock();
  if (fresh === undefined) throw new Error('the state of the estimates cannot be locked');
  return fresh;
}
