import type {
  MovementParts,
  RelatedEvent,
  Relation,
} from '@decision-ledger/contract/financial-event';
import { MOST_METADATA_BYTES } from '@decision-ledger/proof/reversal';
import { Big } from 'big.js';
import { uuidToId } from '../../../platform/ids.js';
import { mapInTurns } from '../../../platform/in-turns.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import { readMetadata } from '../money-signs/index.js';
import { describeReports } from './read.js';
import { type Related, type RelatedReport, relationsOf, statementsOf } from './rules/relations.js';
import { type EventRow, selectEvents } from './store/financial-events.js';
import { selectReports } from './store/movements.js';
import { type RelatableRow, selectParts, selectRelatable } from './store/relations.js';

/** Relations that are shown. Sums are of all parts. */
const MOST = 100;
interface RelatedMovement {
  readonly relations: Relation[];
  /** Null if nothing is part of it. */
  readonly parts: MovementParts | null;
}

/** How the movement of some live reports is related to others, by what its reports and those of the others state. */
async function readRelations(
  ledger: LedgerReader,
  reports: readonly EventRow[],
): Promise<RelatedMovement> {
  const own = await mapInTurns(reports, toRelated);
  const naming = own.flatMap(({ external_id }) => external_id ?? []);
  const stated = own.flatMap(statementsOf).map(({ reference }) => reference);
  const named = stated.slice(0, MOST);
  if (naming.length + named.length === 0) return { relations: [], parts: null };
  const most = { limit: MOST + 1, bytes: MOST_METADATA_BYTES };
  const rows = await selectRelatable(ledger, { named, naming }, most);
  const others = await mapInTurns(rows, toRelated);
  const related = own.flatMap((report) => relationsOf(report, others));
  const isWhole = related.some((one) => one.relation === 'part_of' && one.direction === 'from');
  return {
    relations: await describeRelations(ledger, related.slice(0, MOST), rows),
    parts: isWhole ? await readParts(ledger, reports, related) : null,
  };
}

/** An event as the API returns it by itself: with the relations of its movement. */
export async function describeRelated(ledger: LedgerReader, row: EventRow): Promise<RelatedEvent> {
  const [event] = await describeReports(ledger, [row]);
  if (event === undefined) throw new Error('an event that was read is missing');
  const mates = await selectReports(ledger, [row.event_id]);
  const reports = await selectEvents(
    ledger,
    mates.map(({ event_id }) => event_id),
  );
  const related = await readRelations(ledger, reports);
  return { ...event, movement: { ...event.movement, ...related } };
}

/** What relations follow from. Metadata that is large states none. */
export function toRelated({
  metadata,
  ...row
}: Omit<RelatableRow, 'amount' | 'currency'>): RelatedReport {
  const isRead = metadata !== null && Buffer.byteLength(metadata) <= MOST_METADATA_BYTES;
  return { ...row, metadata: (isRead ? readMetadata(metadata) : null) ?? {} };
}

async function describeRelations(
  ledger: LedgerReader,
  related: readonly Related[],
  rows: readonly RelatableRow[],
): Promise<Relation[]> {
  const known = new Map(rows.map((row) => [row.event_id, row]));
  const reports = await selectReports(
    ledger,
    related.flatMap(({ other }) => other ?? []),
  );
  const leads = new Map(reports.map(({ event_id, lead_id }) => [event_id, lead_id]));
  return related.map(({ relation, direction, reference, other }): Relation => {
    const row = other === null ? undefined : known.get(other);
    const stated = { relation, direction, reference };
    if (row === undefined) return { ...stated, report: null, movement: null };
    const { event_type, amount, currency } = row;
    return {
      ...stated,
      report: { id: uuidToId('evt', row.event_id), event_type, amount, currency },
      movement: uuidToId('evt', leads.get(row.event_id) ?? row.event_id),
    };
  });
}

/** What the parts of a report come to, against its own amount. */
async function readParts(
  ledger: LedgerReader,
  reports: readonly EventRow[],
  related: readonly Related[],
): Promise<MovementParts | null> {
  const references = new Set(
    related.flatMap(({ relation, direction, reference }) =>
      relation === 'part_of' && direction === 'from' ? [reference] : [],
    ),
  );
  const whole = reports.find(({ external_id }) => references.has(external_id ?? ''));
  if (whole === undefined) return null;
  const { source, currency, amount } = whole;
  const rows = await selectParts(ledger, {
    ...{ source, currency, reference: whole.external_id ?? '' },
  });
  const sum = rows.reduce((total, row) => total.plus(row.amount), new Big(0));
  return {
    ...{ currency, amount, sum: sum.toFixed() },
    difference: new Big(amount).minus(sum).toFixed(),
    unknown: rows.reduce((count, row) => count + row.unknown, 0),
    types: rows.map((row) => ({
      ...{ event_type: row.event_type, count: row.count },
      amount: new Big(row.amount).toFixed(),
    })),
  };
}
