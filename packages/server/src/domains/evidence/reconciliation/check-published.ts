import { formatTimestamp } from '@decision-ledger/contract/time';
import { sha256Hex } from '@decision-ledger/proof/hash';
import { briefText, type RecordedChange } from '@decision-ledger/proof/replay/state';
import { uuidToId } from '../../../platform/ids.js';
import type { Ledger, LedgerReader } from '../../../platform/ledger.js';
import { selectChangesOfTypes, selectLastChange } from '../../log/activity/index.js';
import type { ReconciliationTally } from './rules/tally.js';
import {
  type PublishedRow,
  type SettingsRow,
  selectModels,
  selectPublishedRestatements,
  selectPublishedSigningKeys,
  selectSettingsRow,
} from './store/published.js';

type Change = RecordedChange & { readonly subject: string };

/** A table of few rows, each made by one record. */
interface Published {
  readonly table: string;
  readonly types: readonly string[];
  rows(ledger: LedgerReader): Promise<readonly PublishedRow[]>;
  /** The key of the row that a record made. */
  key(change: Change): string;
  /** The columns that the record states; one that it does not state is left out. */
  columns(change: Change, later: readonly Change[]): ReadonlyMap<string, string>;
}

const PUBLISHED: readonly Published[] = [
  {
    table: 'attribution_models',
    types: ['attribution.model_changed'],
    rows: selectModels,
    key: ({ data }) => data.get('model') ?? '',
    columns: ({ at, data }) =>
      stated([
        ['version', data.get('version')],
        ['snapshot', data.get('sha256')],
        ['created_at', briefText(at)],
      ]),
  },
  {
    table: 'month_restatements',
    types: ['month.restated'],
    rows: selectPublishedRestatements,
    key: ({ subject, at }) => `${subject} ${at}`,
    columns: ({ data }) =>
      stated(
        ['activity_seq', 'activity_hash', 'figures', 'changes', 'explanation'].map((name) => [
          name,
          data.get(name),
        ]),
      ),
  },
  {
    table: 'signing_keys',
    types: ['signing_key.created', 'signing_key.rotated'],
    rows: (ledger) => selectPublishedSigningKeys(ledger.connection, ledger.scope),
    key: ({ subject }) => subject,
    columns: ({ subject, data }, later) =>
      stated([
        ['public_key', data.get('public_key')],
        ['retired_at', later.some((next) => supersedes(next, subject)) ? 'set' : 'not set'],
      ]),
  },
];

function supersedes({ data }: Change, fingerprint: string): boolean {
  return data.get('supersedes') === briefText(fingerprint);
}

function stated(
  members: readonly (readonly [string, string | undefined])[],
): ReadonlyMap<string, string> {
  return new Map(
    members.flatMap(([name, text]): [string, string][] =>
      text === undefined ? [] : [[name, text]],
    ),
  );
}

/** Compares the tables of few rows with their records, in both directions. */
export async function checkPublished(ledger: Ledger, tally: ReconciliationTally): Promise<void> {
  for (const published of PUBLISHED) {
    const { rows, changes } = await ledger.read(async (tx) => ({
      rows: await published.rows(tx),
      changes: await selectChangesOfTypes(tx, published.types),
    }));
    tally.checked(rows.length);
    compare(published, { rows, changes }, tally);
  }
}

function compare(
  { table, key, columns }: Published,
  {
    rows,
    changes,
  }: { readonly rows: readonly PublishedRow[]; readonly changes: readonly Change[] },
  tally: ReconciliationTally,
): void {
  const nothing = { column: null, expected: null, actual: null };
  const made = new Map(changes.map((change, index) => [key(change), { change, index }]));
  for (const row of rows) {
    const found = made.get(row.key);
    made.delete(row.key);
    if (found === undefined) {
      tally.add({ kind: 'unexpected_row', table, key: row.key, ...nothing });
      continue;
    }
    const expected = columns(found.change, changes.slice(found.index + 1));
    for (const [column, actual] of row.columns) {
      const text = expected.get(column);
      if (text === undefined) tally.unproven(table, column);
      else if (text !== actual) {
        tally.add({ kind: 'changed_row', table, key: row.key, column, expected: text, actual });
      }
    }
  }
  for (const missing of made.keys()) {
    tally.add({ kind: 'missing_row', table, key: missing, ...nothing });
  }
}

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
