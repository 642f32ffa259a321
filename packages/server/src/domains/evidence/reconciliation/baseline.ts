import { sha256Hex } from '@decision-ledger/proof/hash';
import { lockHead } from '../../../platform/chain/lock-head.js';
import { readChain } from '../../../platform/chain/read-head.js';
import type { Database, Queryable } from '../../../platform/database.js';
import { uuidToId } from '../../../platform/ids.js';
import type { Scope } from '../../../platform/scope.js';
import type { RecordActivity } from '../../log/activity/index.js';
import { checkRows } from './check-rows.js';
import { type Baseline, readBaseline } from './rules/baseline.js';
import { Tally } from './rules/tally.js';
import { FIXED_BY_BASELINE, UnstatedColumns } from './rules/unstated.js';
import { selectFirstData, selectLastChange } from './store/histories.js';
import { selectSettingsRow } from './store/settings.js';

export interface BaselineTools {
  readonly db: Database;
  readonly recordActivity: RecordActivity;
}

/** The subject of the record: a ledger has one. */
const SUBJECT = 'baseline';
const TABLES = ['api_keys', 'sessions', 'financial_events', 'links'] as const;

/** The baseline of a ledger; null if it has none. */
export async function findBaseline(db: Queryable, scope: Scope): Promise<Baseline | null> {
  const record = await selectFirstData(db, scope, SUBJECT);
  return record === null ? null : readBaseline(record.seq, record.data);
}

/**
 * Records what the rows of former releases hold beyond what their records state, once for a ledger, so
 * that a later change of them is found. A ledger whose records state everything needs none.
 * @returns whether a baseline was recorded
 */
export async function ensureBaseline(
  { db, recordActivity }: BaselineTools,
  scope: Scope,
): Promise<boolean> {
  if ((await findBaseline(db, scope)) !== null) return false;
  const untilSeq = (await readChain(db, scope, 'activity'))?.seq ?? 0;
  const unstated = new UnstatedColumns();
  const comparison = { tally: new Tally(), unstated };
  for (const table of TABLES) await checkRows(db, scope, table, comparison, untilSeq);
  return db.transaction(async (tx) => {
    await lockHead(tx, scope, 'activity');
    if ((await findBaseline(tx, scope)) !== null) return false;
    const settings = await unstatedSettings(tx, scope);
    if (unstated.entries().length === 0 && settings === null) return false;
    await recordActivity(tx, scope, {
      type: 'reconciliation.baseline',
      actor: 'engine',
      subject: SUBJECT,
      data: {
        until_seq: untilSeq,
        columns: Object.fromEntries(
          FIXED_BY_BASELINE.map((column) => [column, { ...unstated.get(column) }]),
        ),
        settings,
      },
    });
    return true;
  });
}

/** The digest of settings that no record states; null if there are none, or if one does. */
async function unstatedSettings(tx: Queryable, scope: Scope): Promise<string | null> {
  const types = ['settings.changed', 'master_key.rotated'];
  const last = await selectLastChange(tx, scope, uuidToId('led', scope.ledgerId), types);
  if (last === null || last.data.has('document_digest')) return null;
  const row = await selectSettingsRow(tx, scope);
  return row === null ? null : sha256Hex(row.document);
}
