import { formatTimestamp } from '@decision-ledger/contract/time';
import { sha256Hex } from '@decision-ledger/proof/hash';
import { briefText, type RecordedChange } from '@decision-ledger/proof/replay/state';
import { uuidToId } from '../../../platform/ids.js';
import type { Ledger } from '../../../platform/ledger.js';
import { selectLastChange } from '../../log/activity/index.js';
import type { ReconciliationTally } from './rules/tally.js';
import { type SettingsRow, selectSettingsRow } from './store/settings.js';

/** Compares the settings with the last record that changed or resealed them. */
export async function compareSettings(ledger: Ledger, tally: ReconciliationTally): Promise<void> {
  const key = uuidToId('led', ledger.ledgerId);
  const { row, changed, resealed } = await ledger.read(async (tx) => ({
    row: await selectSettingsRow(tx),
    changed: await selectLastChange(tx, key, ['settings.changed']),
    resealed: await selectLastChange(tx, key, ['master_key.rotated']),
  }));
  tally.checked(row === null ? 0 : 1);
  const place = { table: 'settings', key };
  const nothing = { column: null, expected: null, actual: null };
  if (row === null && changed === null) return;
  if (row === null || changed === null) {
    const kind = row === null ? 'missing_row' : 'unexpected_row';
    tally.add({ kind, ...place, ...nothing });
    return;
  }
  const actual = { updated_at: textOfTime(row), document: textOfDocument(row) };
  const expected = {
    updated_at: briefText(changed.at),
    document: digestOf(changed, resealed),
  };
  for (const column of ['updated_at', 'document'] as const) {
    if (expected[column] === actual[column]) continue;
    const values = { expected: expected[column], actual: actual[column] };
    tally.add({ kind: 'changed_row', ...place, column, ...values });
  }
}

const textOfTime = ({ updated_at }: SettingsRow) => briefText(formatTimestamp(updated_at));
const textOfDocument = ({ document }: SettingsRow) => briefText(sha256Hex(document));

/** The digest that the later of the records states. */
function digestOf(changed: RecordedChange, resealed: RecordedChange | null): string | null {
  const last = resealed !== null && resealed.seq > changed.seq ? resealed : changed;
  return last.data.get('document_digest') ?? null;
}
