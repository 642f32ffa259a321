import { mapInTurns } from '../../../platform/in-turns.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import { MOST_BYTES, toRelated } from './relations.js';
import { isReversalOf, type RelatedMovement, reversalsOf } from './rules/relations.js';
import {
  type MovedRow,
  type Naming,
  selectMoved,
  selectNamedLeads,
  selectNamingLeads,
} from './store/relations.js';

/** Reports of one reference that are looked at. */
const MOST_NAMED = 10_000;

/**
 * The movements that movements reverse, where their reports mean exactly one: leads (UUIDs) by leads. What a report reverses
 * follows from the reports alone, in whatever order they were recorded.
 */
export async function readReversed(
  ledger: LedgerReader,
  leads: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const movements = await readMoved(ledger, leads);
  const names = movements.flatMap(({ reports }) =>
    reports.flatMap((report) =>
      reversalsOf(report).map(({ reference }) => ({ source: report.source, reference })),
    ),
  );
  if (names.length === 0) return new Map();
  const others = await readMoved(
    ledger,
    await selectNamedLeads(ledger, distinct(names), MOST_NAMED),
  );
  return new Map(
    movements.flatMap((movement) => {
      const meant = others.filter((other) => isReversalOf(movement, other));
      const [only] = meant;
      return only === undefined || meant.length > 1 ? [] : [[movement.lead, only.lead] as const];
    }),
  );
}

/** The leads (UUIDs) of the movements that say that they reverse one of some movements, or a deleted report of these. */
export async function readReversing(
  ledger: LedgerReader,
  leads: readonly string[],
): Promise<readonly string[]> {
  const movements = await readMoved(ledger, leads, false);
  const names = movements.flatMap(({ reports }) =>
    reports.flatMap(({ source, external_id: reference }) =>
      reference === null ? [] : [{ source, reference }],
    ),
  );
  if (names.length === 0) return [];
  const found = await selectNamingLeads(ledger, distinct(names), MOST_NAMED);
  const others = await readMoved(ledger, found);
  return others
    .filter((other) => movements.some((movement) => isReversalOf(other, movement)))
    .map(({ lead }) => lead);
}

async function readMoved(
  ledger: LedgerReader,
  leads: readonly string[],
  isLive = true,
): Promise<RelatedMovement[]> {
  const rows = await selectMoved(ledger, leads, { bytes: MOST_BYTES, isLive });
  const movements = new Map<string, RelatedMovement['reports'][number][]>();
  await mapInTurns(rows, (row: MovedRow) => {
    const reports = movements.get(row.lead_id);
    if (reports === undefined) movements.set(row.lead_id, [toRelated(row)]);
    else reports.push(toRelated(row));
  });
  return [...movements].map(([lead, reports]) => ({ lead, reports }));
}

function distinct(names: readonly Naming[]): Naming[] {
  return [
    ...new Map(names.map((name) => [JSON.stringify([name.source, name.reference]), name])).values(),
  ];
}
