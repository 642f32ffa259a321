import { briefText, type RecordedChange } from '@decision-ledger/proof/replay/state';
import type { Ledger, LedgerReader } from '../../../platform/ledger.js';
import { selectChangesOfTypes } from '../../log/activity/index.js';
import type { ReconciliationTally } from './rules/tally.js';
import {
  type PublishedRow,
  selectModels,
  selectPublishedRestatements,
  selectPublishedSigningKeys,
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
        ['activity_seq', 'activity_hash', 'figures', 'changes'].map((name) => [
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
    compare(published, rows, changes, tally);
  }
}

function compare(
  { table, key, columns }: Published,
  rows: readonly PublishedRow[],
  changes: readonly Change[],
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
