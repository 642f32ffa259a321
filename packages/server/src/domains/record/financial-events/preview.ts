import type { MoneyPreview } from '@decision-ledger/contract/dry-run';
import type { Settings } from '@decision-ledger/contract/settings';
import { Big } from 'big.js';
import { uuidToId } from '../../../platform/ids.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import type { Counting } from '../money-signs/index.js';
import { countRow, isCountedAs } from './recount.js';
import { selectNewestIds } from './store/financial-events.js';
import { type Grouped, type GroupedRow, readGrouped, readSupposed } from './supposed.js';

/** Events that one preview counts: the last ones that were recorded. */
const MAX_EXAMINED = 1000;
const MAX_EXAMPLES = 20;

/** What an event counts with before and after a change of settings, and in which movement. */
interface Change {
  readonly row: GroupedRow;
  readonly next: GroupedRow;
  readonly before: Counting;
  readonly after: Counting;
}

/**
 * What a change of settings would do to the last events and their movements, and to the events that these would gain or lose.
 * Changes nothing.
 * @param regrouped the movements that would be other ones, of some events: UUIDs of all their reports
 */
export async function previewCounts(
  ledger: LedgerReader,
  change: { readonly before: Settings; readonly after: Settings },
  regrouped: (eventIds: readonly string[]) => Promise<readonly (readonly string[])[]>,
): Promise<MoneyPreview> {
  const newest = await selectNewestIds(ledger, MAX_EXAMINED);
  const movements = await regrouped(newest);
  const rows = await readGrouped(ledger, [...new Set([...newest, ...movements.flat()])]);
  const supposed = await readSupposed(ledger, movements);
  const nexts = new Map(supposed.map((row) => [row.event_id, row]));
  const changes = rows.map((row) => {
    const next = nexts.get(row.event_id) ?? row;
    const before = countRow(change.before.attribution, row);
    return { row, next, before, after: countRow(change.after.attribution, next) };
  });
  const changed = changes.filter(
    ({ row, next, before, after }) => row !== next || !isCountedAs(before, after),
  );
  return {
    examined: changes.length,
    changed: changed.length,
    lines: linesOf(changes),
    examples: changed.slice(0, MAX_EXAMPLES).map(({ row, next, before, after }) => ({
      financial_event_id: uuidToId('evt', row.event_id),
      ...{ source: row.source, event_type: row.event_type },
      ...{ amount: row.amount, currency: row.currency },
      ...{ kind_before: before.kind, kind_after: after.kind },
      ...{ standing_before: before.standing, standing_after: after.standing },
      ...{ counted_before: before.counted_amount, counted_after: after.counted_amount },
      ...{ movement_before: describe(row.movement), movement_after: describe(next.movement) },
    })),
  };
}

const describe = ({ lead, reports }: Grouped) => ({
  lead: uuidToId('evt', lead),
  reports: reports.map((id) => uuidToId('evt', id)).sort(),
});

/** The sums of each standing, kind and currency, in this order. */
function linesOf(changes: readonly Change[]): MoneyPreview['lines'] {
  const lines = new Map<string, Line>();
  for (const { row, before, after } of changes) {
    const [old, next] = [lineOf(lines, before, row.currency), lineOf(lines, after, row.currency)];
    old.events_before += 1;
    old.before = old.before.plus(before.counted_amount).plus(before.uncounted_amount);
    next.events_after += 1;
    next.after = next.after.plus(after.counted_amount).plus(after.uncounted_amount);
  }
  return [...lines]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, { before, after, ...line }]) => ({
      ...line,
      amount_before: before.toFixed(),
      amount_after: after.toFixed(),
    }));
}

interface Line extends Pick<Counting, 'standing' | 'kind'> {
  readonly currency: string;
  events_before: number;
  events_after: number;
  before: Big;
  after: Big;
}

function lineOf(lines: Map<string, Line>, { standing, kind }: Counting, currency: string): Line {
  const name = JSON.stringify([standing, kind, currency]);
  const known = lines.get(name);
  if (known !== undefined) return known;
  const zero = new Big(0);
  const line = {
    standing,
    kind,
    currency,
    events_before: 0,
    events_after: 0,
    before: zero,
    after: zero,
  };
  lines.set(name, line);
  return line;
}
