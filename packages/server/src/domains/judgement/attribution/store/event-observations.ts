import sql from 'sql-template-tag';
import { textArray, uuidArray } from '../../../../platform/binary-array.js';
import type { LedgerReader, LedgerWriter } from '../../../../platform/ledger.js';

/** What a scored event teaches without a person. */
export interface ObservationRow {
  /** UUID. */
  readonly eventId: string;
  /** JSON; null takes an earlier one back. */
  readonly observation: string | null;
}

/** Appends to the log. The caller holds the lock on the state of the ledger, which orders the log. */
export async function insertObservations(
  tx: LedgerWriter,
  rows: readonly ObservationRow[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(sql`
    insert into event_observations (ledger_id, seq, event_id, observation)
    select ${tx.ledgerId}, last.seq + row_number() over (order by row.event_id), row.event_id,
      row.observation
    from unnest(${uuidArray(rows, ({ eventId }) => eventId)}::uuid[],
      ${textArray(rows, ({ observation }) => observation)}::text[]) as row (event_id, observation),
      (select coalesce(max(seq), 0) as seq from event_observations
        where ledger_id = ${tx.ledgerId}) as last`);
}

/** The end of the log; 0 if it is empty. */
export async function selectLastObservation(ledger: LedgerReader): Promise<number> {
  const [row] = await ledger.query<{ seq: number }>(sql`
    select coalesce(max(seq), 0)::bigint as seq from event_observations
    where ledger_id = ${ledger.ledgerId}`);
  return row?.seq ?? 0;
}

/** The latest rows up to a place in the log, newest first: those of one event may be several. */
export async function selectObservations(
  ledger: LedgerReader,
  untilSeq: number,
  limit: number,
): Promise<ObservationRow[]> {
  return ledger.query<ObservationRow>(sql`
    select event_id as "eventId", observation from event_observations
    where ledger_id = ${ledger.ledgerId} and seq <= ${untilSeq}
    order by event_observations.seq desc limit ${limit}`);
}

/** The next rows of the log, and whether each observation identifies the cause of its event. */
export async function selectIdentifying(
  ledger: LedgerReader,
  after: number,
  limit: number,
): Promise<{ readonly seq: number; readonly event_id: string; readonly identifies: boolean }[]> {
  return ledger.query(sql`
    select seq, event_id,
      coalesce(json_typeof(observation::json -> 'identified') <> 'null', false) as identifies
    from event_observations
    where ledger_id = ${ledger.ledgerId} and seq > ${after}
    order by event_observations.seq limit ${limit}`);
}
