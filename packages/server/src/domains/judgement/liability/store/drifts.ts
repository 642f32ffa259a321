import sql from 'sql-template-tag';
import type { LedgerReader, LedgerWriter } from '../../../../platform/ledger.js';

/** Sums of the test of a version of an agent; the state is JSON. */
export interface DriftStateRow {
  readonly agent_id: string;
  readonly variant: string;
  readonly state: string;
}

export async function selectDriftStates(ledger: LedgerReader): Promise<DriftStateRow[]> {
  return ledger.query<DriftStateRow>(sql`
    select agent_id, variant, state from liability_drift_states where ledger_id = ${ledger.ledgerId}`);
}

export async function upsertDriftStates(
  tx: LedgerWriter,
  rows: readonly DriftStateRow[],
): Promise<void> {
  await tx.query(sql`
    insert into liability_drift_states (ledger_id, agent_id, variant, state)
    select ${tx.ledgerId}, n.agent_id, n.variant, n.state
    from unnest(${rows.map((row) => row.agent_id)}::text[],
      ${rows.map((row) => row.variant)}::text[],
      ${rows.map((row) => row.state)}::text[]) as n (agent_id, variant, state)
    on conflict (ledger_id, agent_id, variant) do update set state = excluded.state`);
}

/** @param data JSON of each drift. @param at ms */
export async function insertDrifts(
  tx: LedgerWriter,
  data: readonly string[],
  at: number,
): Promise<void> {
  await tx.query(sql`
    insert into liability_drifts (ledger_id, found, detected_at, data)
    select ${tx.ledgerId}, n.place + coalesce((
      select max(d.found) from liability_drifts d where d.ledger_id = ${tx.ledgerId}), 0),
      to_timestamp(${at}::bigint / 1000.0), n.data
    from unnest(${[...data]}::text[]) with ordinality as n (data, place)`);
}

export interface LiabilityDriftRow {
  readonly found: number;
  /** ms. */
  readonly detected_at: number;
  /** JSON. */
  readonly data: string;
}

/** Drifts of a ledger after a number, oldest first. */
export async function selectLiabilityDrifts(
  ledger: LedgerReader,
  after: number,
  limit: number,
): Promise<LiabilityDriftRow[]> {
  return ledger.query<LiabilityDriftRow>(sql`
    select found, (extract(epoch from detected_at) * 1000)::bigint as detected_at, data
    from liability_drifts where ledger_id = ${ledger.ledgerId} and found > ${after}
    order by found limit ${limit}`);
}

/** A decision of a version, to read its name from; null if none is recorded. */
export async function selectVariantSample(
  ledger: LedgerReader,
  agentId: string,
  variant: string,
): Promise<number | null> {
  const [row] = await ledger.query<{ seq: number }>(sql`
    select max(seq) as seq from liability_estimates
    where ledger_id = ${ledger.ledgerId} and agent_id = ${agentId} and variant = ${variant}
    having max(seq) is not null`);
  return row?.seq ?? null;
}
