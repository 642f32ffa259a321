import type { RecordedChange, RecordState } from '@decision-ledger/proof/replay/state';
import type { Database, Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import { inSnapshot } from './in-snapshot.js';
import { addUnstated, type Comparison, compareRow, type StoredRow } from './rules/compare.js';
import { REPLAYS, type Replay } from './rules/replays.js';
import { ROW_TABLES, type RowTableName } from './rules/tables.js';
import { selectHistories } from './store/histories.js';
import { selectRows } from './store/rows.js';

/** Rows that are read with their records in one snapshot. */
const STEP = 250;

type Histories = ReadonlyMap<string, readonly RecordedChange[]>;

/**
 * Compares each row of a table with its records.
 * @param oldUntil records up to this one may be of a former release
 */
export async function checkRows(
  db: Database,
  scope: Scope,
  name: RowTableName,
  comparison: Comparison,
  oldUntil: number,
): Promise<void> {
  const table = ROW_TABLES[name];
  const replay = REPLAYS[name];
  let after: string | null = null;
  for (;;) {
    const from: string | null = after;
    const page = await inSnapshot(db, async (tx) => {
      const rows = await selectRows(tx, scope, table, from, STEP);
      const subjects = rows.map(({ subject }) => subject);
      const histories = await selectHistories(tx, scope, subjects, replay.types);
      return { rows, histories, formers: await readFormers(tx, scope, replay, histories) };
    });
    for (const row of page.rows) checkRow(name, row, page, comparison, oldUntil);
    comparison.tally.checked(page.rows.length);
    after = page.rows.at(-1)?.key ?? null;
    if (page.rows.length < STEP) return;
  }
}

interface Page {
  readonly histories: Histories;
  readonly formers: Histories;
}

function checkRow(
  table: RowTableName,
  row: StoredRow,
  { histories, formers }: Page,
  comparison: Comparison,
  oldUntil: number,
): void {
  const replay = REPLAYS[table];
  const changes = histories.get(row.subject) ?? [];
  const [made] = changes;
  if (made === undefined || !replay.makings.includes(made.type)) {
    const nothing = { column: null, expected: null, actual: null };
    comparison.tally.add({ kind: 'unexpected_row', table, key: row.subject, ...nothing });
    return;
  }
  const inherited = inheritedBy(replay, made, formers);
  const state = replay.replay(changes, inherited);
  compareRow(comparison, table, row, state);
  if (made.seq > oldUntil) return;
  const old = changes.filter(({ seq }) => seq <= oldUntil);
  addUnstated(comparison, table, row, replay.replay(old, inherited));
}

/** The records of the objects that those of a page replace, and of those that these replaced. */
async function readFormers(
  tx: Queryable,
  scope: Scope,
  replay: Replay,
  histories: Histories,
): Promise<Histories> {
  const formers = new Map<string, readonly RecordedChange[]>();
  let next = formersOf(replay, histories);
  while (next.length > 0) {
    const found = await selectHistories(tx, scope, next, replay.types);
    for (const subject of next) formers.set(subject, found.get(subject) ?? []);
    next = formersOf(replay, found).filter((subject) => !formers.has(subject));
  }
  return formers;
}

function formersOf(replay: Replay, histories: Histories): string[] {
  const subjects = [...histories.values()].flatMap(([made]) =>
    made === undefined ? [] : (replay.former(made) ?? []),
  );
  return [...new Set(subjects)];
}

/** The state of the object that one replaces, if its own records do not state what it took from it. */
function inheritedBy(replay: Replay, made: RecordedChange, formers: Histories): RecordState | null {
  const line: (readonly RecordedChange[])[] = [];
  let before = made;
  for (;;) {
    const former = replay.former(before);
    const changes = former === null ? undefined : formers.get(former);
    const [earlier] = changes ?? [];
    // An object replaces one that was made before it.
    if (changes === undefined || earlier === undefined || earlier.seq >= before.seq) break;
    line.push(changes);
    before = earlier;
  }
  return line.reduceRight<RecordState | null>(
    (state, changes) => replay.replay(changes, state),
    null,
  );
}
