import { DEFAULT_SETTINGS } from '@decision-ledger/contract/settings';
import sql, { raw } from 'sql-template-tag';
import { lockHead } from '../../../../platform/chain/head.js';
import type { LedgerReader, LedgerWriter } from '../../../../platform/ledger.js';
import { type Scope, type StoredScope, toScope } from '../../../../platform/principal.js';
import { type Installation, LEDGERS } from '../../../../platform/statement.js';
import { summedSeq } from './exposure.js';

/** A stored snapshot; the settings, the rates into the currency and the experience are JSON. */
export interface SnapshotRow {
  readonly snapshot_id: number;
  readonly version: string;
  readonly currency: string;
  readonly settings: string;
  readonly rates: string;
  readonly experience: string;
}

const COLUMNS = raw('snapshot_id, version, currency, settings, rates, experience');

/** @param at ms */
export async function insertSnapshot(
  tx: LedgerWriter,
  snapshot: SnapshotRow,
  at: number,
): Promise<void> {
  await tx.query(sql`
    insert into liability_snapshots (ledger_id, snapshot_id, version, currency, settings, rates,
      experience, taken_at)
    values (${tx.ledgerId}, ${snapshot.snapshot_id}, ${snapshot.version}, ${snapshot.currency},
      ${snapshot.settings}, ${snapshot.rates}, ${snapshot.experience}, to_timestamp(${at}::bigint / 1000.0))`);
}

/** The newest snapshot of a ledger. */
export async function selectSnapshot(ledger: LedgerReader): Promise<SnapshotRow | null> {
  const [row] = await ledger.query<SnapshotRow>(sql`
    select ${COLUMNS} from liability_snapshots
    where ledger_id = ${ledger.ledgerId} order by liability_snapshots.snapshot_id desc limit 1`);
  return row ?? null;
}

/** The snapshots of a ledger with these numbers. */
export async function selectSnapshots(
  ledger: LedgerReader,
  ids: readonly number[],
): Promise<SnapshotRow[]> {
  return ledger.query<SnapshotRow>(sql`
    select ${COLUMNS} from liability_snapshots
    where ledger_id = ${ledger.ledgerId} and snapshot_id = any(${ids}::integer[])`);
}

/** The confidences that counted as neutral in any snapshot of a ledger. */
export async function selectNeutral(ledger: LedgerReader): Promise<number[]> {
  const rows = await ledger.query<{ neutral: number }>(sql`
    select distinct (settings::json #>> '{confidence,neutral}')::float8 as neutral
    from liability_snapshots where ledger_id = ${ledger.ledgerId}`);
  return rows.map(({ neutral }) => neutral);
}

/** A snapshot by its number; null if the ledger has none. */
export async function selectSnapshotById(
  ledger: LedgerReader,
  id: number,
): Promise<SnapshotRow | null> {
  const [row] = await ledger.query<SnapshotRow>(sql`
    select ${COLUMNS} from liability_snapshots
    where ledger_id = ${ledger.ledgerId} and snapshot_id = ${id}`);
  return row ?? null;
}

/** The currencies of all estimates of a ledger, stored or not; reads each estimate. */
export async function selectCurrencies(ledger: LedgerReader): Promise<string[]> {
  const rows = await ledger.query<{ currency: string }>(sql`
    select distinct s.currency from liability_snapshots s
    join (
      select snapshot_id from liability_estimates where ledger_id = ${ledger.ledgerId}
      union
      select d.estimate_snapshot from decisions d
      where d.ledger_id = ${ledger.ledgerId} and d.seq > ${summedSeq(ledger.ledgerId)}
    ) as e on e.snapshot_id = s.snapshot_id
    where s.ledger_id = ${ledger.ledgerId}`);
  return rows.map(({ currency }) => currency);
}

/** Progress of the work on a ledger's estimates; times in ms, days as `2026-04-16`. */
export interface StateRow {
  /** Currency of all estimates; null while there are several or none. */
  readonly currency: string | null;
  /** The current or last nightly run. */
  readonly run_day: string | null;
  readonly run_as_of: number | null;
  /** Null until the run has learned its experience. */
  readonly run_snapshot: number | null;
  readonly run_after_seq: number | null;
  readonly run_until_seq: number | null;
  readonly completed_day: string | null;
}

/** Locks the estimates of a ledger: other changes wait until the transaction ends. */
export async function lockLiabilityState(tx: LedgerWriter): Promise<StateRow> {
  const { text, values } = sql`
    select currency, run_day::text as run_day,
      (extract(epoch from run_as_of) * 1000)::bigint as run_as_of, run_snapshot, run_after_seq,
      run_until_seq, completed_day::text as completed_day
    from liability_states where ledger_id = ${tx.ledgerId} for update`;
  const lock = () => tx.query<StateRow>({ name: 'lock-liability-state', text, values });
  const [state] = await lock();
  if (state !== undefined) return state;
  await tx.query(sql`
    insert into liability_states (ledger_id) values (${tx.ledgerId})
    on conflict (ledger_id) do nothing`);
  const [fresh] = await lock();
  if (fresh === undefined) throw new Error('the state of the estimates cannot be locked');
  return fresh;
}

/** Keeps out changes of links and events as well, which re-estimate decisions. */
export async function lockLiability(tx: LedgerWriter): Promise<void> {
  await lockHead(tx, 'activity');
  await lockLiabilityState(tx);
}

/** @returns no row if there is no estimate yet */
export function selectCurrency(ledger: LedgerReader): Promise<{ currency: string | null }[]> {
  return ledger.query<{ currency: string | null }>(sql`
    select currency from liability_states where ledger_id = ${ledger.ledgerId}`);
}

/** The time (ms) as of which the last run counted outcomes; null if none did, or one still does. */
export async function selectLearnedAt(ledger: LedgerReader): Promise<number | null> {
  const [row] = await ledger.query<{ at: number }>(sql`
    select (extract(epoch from run_as_of) * 1000)::bigint as at from liability_states
    where ledger_id = ${ledger.ledgerId} and run_snapshot is not null`);
  return row?.at ?? null;
}

/** @param currency of all estimates; null if there are several */
export async function updateCurrency(tx: LedgerWriter, currency: string | null): Promise<void> {
  await tx.query(sql`
    update liability_states set currency = ${currency} where ledger_id = ${tx.ledgerId}`);
}

/** Stores the progress in the locked row, except for the currency (see updateCurrency). */
export async function updateLiabilityState(tx: LedgerWriter, state: StateRow): Promise<void> {
  await tx.query(sql`
    update liability_states set run_day = ${state.run_day}::date,
      run_as_of = to_timestamp(${state.run_as_of}::bigint / 1000.0),
      run_snapshot = ${state.run_snapshot}, run_after_seq = ${state.run_after_seq},
      run_until_seq = ${state.run_until_seq}, completed_day = ${state.completed_day}::date
    where ledger_id = ${tx.ledgerId}`);
}

/**
 * Ledgers without a complete nightly run since a day (`2026-04-16`), and those whose estimates are not
 * in the base currency of the settings.
 */
export async function selectDueLedgers(installation: Installation, day: string): Promise<Scope[]> {
  const rows = await installation.queryAcross<StoredScope>(sql`
    select l.org_id, l.ledger_id, l.mode from ${LEDGERS} as l
    left join settings d on d.ledger_id = l.ledger_id
    left join liability_states s on s.ledger_id = l.ledger_id and s.completed_day >= ${day}::date
      and s.currency = coalesce(d.document::json ->> 'base_currency', ${DEFAULT_SETTINGS.base_currency})
    where s.ledger_id is null`);
  return rows.map(toScope);
}

/** @returns seq of the last decision, 0 if there is none */
export async function selectLastDecisionSeq(ledger: LedgerReader): Promise<number> {
  const [head] = await ledger.query<{ seq: number }>(sql`
    select seq from chain_heads where ledger_id = ${ledger.ledgerId} and chain = 'decisions'`);
  return head?.seq ?? 0;
}
