import sql, { raw } from 'sql-template-tag';
import { lockHead } from '../../../../platform/chain/head.js';
import { followerPosition } from '../../../../platform/followers/positions.js';
import type { LedgerReader, LedgerWriter } from '../../../../platform/ledger.js';
import { DerivedRows, type RowComparison } from '../../../../platform/projections/derived-rows.js';
import { instant } from '../../../../platform/statement.js';
import { FEATURES } from './decision-features.js';

/** A stored model, and up to where it read the logs that it was learned from. */
export interface ModelRow {
  readonly model_id: number;
  readonly version: string;
  /** Canonical JSON, like `settings`. */
  readonly snapshot: string;
  readonly settings: string;
  /** Days since the epoch. */
  readonly as_of_day: number;
  /** The logs were read up to these places. */
  readonly reviews_seq: number;
  readonly observations_seq: number;
  /** How many events had exactly one candidate with a rare identifier of theirs. */
  readonly identified: number;
  /** Whether open events were scored again with it. */
  readonly is_refresh: boolean;
}

const COLUMNS =
  raw(`model_id, version, snapshot, settings, as_of_day, reviews_seq, observations_seq,
  identified, is_refresh`);

/** The newest model of a ledger. */
export async function selectNewestModel(ledger: LedgerReader): Promise<ModelRow | null> {
  const [row] = await selectNewestModels(ledger, 1);
  return row ?? null;
}

/** The newest model after which open events were scored again. */
export async function selectNewestRefresh(ledger: LedgerReader): Promise<ModelRow | null> {
  const [row] = await ledger.query<ModelRow>(sql`
    select ${COLUMNS} from attribution_models
    where ledger_id = ${ledger.ledgerId} and is_refresh
    order by attribution_models.model_id desc limit 1`);
  return row ?? null;
}

/** The newest models of a ledger, newest first. */
export async function selectNewestModels(ledger: LedgerReader, limit: number): Promise<ModelRow[]> {
  return ledger.query<ModelRow>(sql`
    select ${COLUMNS} from attribution_models
    where ledger_id = ${ledger.ledgerId} order by attribution_models.model_id desc limit ${limit}`);
}

export async function selectModel(ledger: LedgerReader, modelId: number): Promise<ModelRow | null> {
  const [row] = await ledger.query<ModelRow>(sql`
    select ${COLUMNS} from attribution_models
    where ledger_id = ${ledger.ledgerId} and model_id = ${modelId}`);
  return row ?? null;
}

/** @param at ms */
export async function insertModel(tx: LedgerWriter, row: ModelRow, at: number): Promise<void> {
  await tx.query(sql`
    insert into attribution_models (ledger_id, model_id, version, snapshot, settings, as_of_day,
      reviews_seq, observations_seq, identified, is_refresh, created_at)
    values (${tx.ledgerId}, ${row.model_id}, ${row.version}, ${row.snapshot}, ${row.settings},
      ${row.as_of_day}, ${row.reviews_seq}, ${row.observations_seq}, ${row.identified},
      ${row.is_refresh}, to_timestamp(${at}::bigint / 1000.0))`);
}

/** The follower that learns from suggestions and checks them: a ledger is due. */
export const SUGGESTION_QUALITY = 'suggestion-quality';

/** Invalidates suggestions that were computed from features before an erasure. */
export async function countErasure(tx: LedgerWriter): Promise<void> {
  await tx.query(sql`
    update attribution_states set erasures = erasures + 1 where ledger_id = ${tx.ledgerId}`);
}

export interface AttributionState {
  /** Position in the chain of the last decision whose features were extracted. */
  readonly extracted: number;
  /** How often features were extracted again because of an erasure. */
  readonly erasures: number;
  /** How many events have exactly one candidate with a rare identifier of theirs. */
  readonly identified: number;
  /** Whether suggestions are not labelled `matched`. */
  readonly label_withdrawn: boolean;
}

export async function selectState(ledger: LedgerReader): Promise<AttributionState> {
  const [row] = await ledger.query<AttributionState>(sql`
    select ${followerPosition(ledger.ledgerId, FEATURES, 'decisions')} as extracted,
      coalesce(s.erasures, 0) as erasures, coalesce(s.identified, 0) as identified,
      coalesce(s.label_withdrawn, false) as label_withdrawn
    from (select) as one
    left join attribution_states s on s.ledger_id = ${ledger.ledgerId}`);
  if (row === undefined) throw new Error('a state of attribution was not read');
  return row;
}

/**
 * Locks the state of a ledger until the transaction ends. Who extracts features holds the lock, too, so nobody does in
 * the meantime.
 */
export async function lockAttributionState(tx: LedgerWriter): Promise<void> {
  const lock = () =>
    tx.query(sql`
      select from attribution_states where ledger_id = ${tx.ledgerId} for update`);
  if ((await lock()).length > 0) return;
  await tx.query(sql`
    insert into attribution_states (ledger_id) values (${tx.ledgerId}) on conflict do nothing`);
  await lock();
}

/** Locks what reviews, erasures and extraction lock before they let an event wait. */
export async function lockAttribution(tx: LedgerWriter): Promise<void> {
  await lockHead(tx, 'activity');
  await lockAttributionState(tx);
}

/** @param events may be negative */
export async function addIdentified(tx: LedgerWriter, events: number): Promise<void> {
  if (events === 0) return;
  await tx.query(sql`
    update attribution_states set identified = identified + ${events}
    where ledger_id = ${tx.ledgerId}`);
}

/** The label `matched`, and up to where quality was checked last. */
export interface QualityState {
  readonly label_withdrawn: boolean;
  /** ms; null if it never changed. */
  readonly label_changed_at: number | null;
  /** Days since the epoch; null before the first check. */
  readonly checked_day: number | null;
  /** The end of the log of reviews at that time. */
  readonly checked_reviews: number;
}

export async function selectQualityState(ledger: LedgerReader): Promise<QualityState> {
  const [row] = await ledger.query<QualityState>(sql`
    select label_withdrawn, (extract(epoch from label_changed_at) * 1000)::bigint
      as label_changed_at, checked_day, checked_reviews
    from attribution_states where ledger_id = ${ledger.ledgerId}`);
  const never = { label_withdrawn: false, label_changed_at: null };
  return row ?? { ...never, checked_day: null, checked_reviews: 0 };
}

/** @param at ms */
export async function updateLabel(
  tx: LedgerWriter,
  isWithdrawn: boolean,
  at: number,
): Promise<void> {
  await tx.query(sql`
    update attribution_states set label_withdrawn = ${isWithdrawn},
      label_changed_at = ${instant(at)}
    where ledger_id = ${tx.ledgerId}`);
}

/** @param day since the epoch */
export async function updateChecked(tx: LedgerWriter, day: number, reviews: number): Promise<void> {
  await tx.query(sql`
    update attribution_states set checked_day = ${day}, checked_reviews = ${reviews}
    where ledger_id = ${tx.ledgerId}`);
}

export const STATES = new DerivedRows('attribution_states', {
  key: [],
  values: ['identified', 'label_withdrawn'],
});

/** Compares what the logs say; nothing if the ledger has no state yet. */
export async function compareStates(
  ledger: LedgerReader,
  { identified, label_withdrawn }: Pick<AttributionState, 'identified' | 'label_withdrawn'>,
): Promise<RowComparison> {
  const expected = sql`
    select ${identified}::bigint as identified,
      ${label_withdrawn}::boolean as label_withdrawn
    from attribution_states s where s.ledger_id = ${ledger.ledgerId}`;
  return STATES.compare(ledger, expected, sql`true`);
}

/** Whether the label was withdrawn last, by the records after a place in the chain; null if none says. */
export async function selectLabel(ledger: LedgerReader, after: number): Promise<boolean | null> {
  const [row] = await ledger.query<{ withdrawn: boolean }>(sql`
    select type = 'attribution.label_withdrawn' as withdrawn from activity
    where ledger_id = ${ledger.ledgerId} and seq > ${after}
      and type in ('attribution.label_withdrawn', 'attribution.label_restored')
    order by activity.seq desc limit 1`);
  return row?.withdrawn ?? null;
}
