import sql, { raw } from 'sql-template-tag';
import type { LedgerReader, LedgerWriter } from '../../../../platform/ledger.js';

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
