import sql, { type Sql } from 'sql-template-tag';
import type { LedgerReader, LedgerWriter } from '../../../../platform/ledger.js';

/** The last complete nightly run of a ledger. */
export interface ClosingState {
  /** `2026-04-16`. */
  readonly run_day: string;
  /** The last record of the activity chain that the run has seen. */
  readonly activity_seq: number;
}

/**
 * A ledger, if it has no complete nightly run since a day (`2026-04-16`), as a query.
 * @param ledgerId UUID, or the column that has it
 */
export function unclosedSince(ledgerId: string | Sql, day: string): Sql {
  return sql`select ${ledgerId}::uuid where not exists (select from closing_states s
    where s.ledger_id = ${ledgerId} and s.run_day >= ${day}::date)`;
}

export async function selectClosingState(ledger: LedgerReader): Promise<ClosingState | null> {
  const [state] = await ledger.query<ClosingState>(sql`
    select run_day::text as run_day, activity_seq from closing_states
    where ledger_id = ${ledger.ledgerId}`);
  return state ?? null;
}

export async function upsertClosingState(
  tx: LedgerWriter,
  { run_day, activity_seq }: ClosingState,
): Promise<void> {
  await tx.query(sql`
    insert into closing_states (ledger_id, run_day, activity_seq)
    values (${tx.ledgerId}, ${run_day}::date, ${activity_seq})
    on conflict (ledger_id) do update
    set run_day = excluded.run_day, activity_seq = excluded.activity_seq`);
}
