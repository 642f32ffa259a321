import { readWhen, touchesRange } from '@decision-ledger/proof/when';
import { idToUuid, uuidToId } from '../../../platform/ids.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import { readReversed } from '../../record/financial-events/index.js';
import type { ExportSnapshot } from './export-run.js';
import {
  type InheritanceRecord,
  type PageOfRecords,
  selectInheritanceRecords,
  selectMovementRecords,
} from './store/movements.js';

type Covered = Pick<ExportSnapshot, 'start' | 'end' | 'since'>;

/** Records in a page. */
const PAGE = 2000;

/**
 * The events (public ids) that, by the records up to the beginning of the export, were of one movement with an event of its
 * range, what events of the range say that they reverse, and what they took links from, with all reports of these: they are of the
 * range, too, whenever they happened.
 */
export async function partnersInRange(
  ledger: LedgerReader,
  covered: Covered,
): Promise<ReadonlySet<string>> {
  const { start, end, since } = covered;
  const range = { start: new Date(start).toISOString(), end: new Date(end).toISOString() };
  const partners = new Set<string>();
  const leads = new Map<string, string>();
  for await (const { subject, lead, when } of recordsUntil(ledger, since, selectMovementRecords)) {
    leads.set(subject, lead);
    if (touchesRange(readWhen(when), range)) partners.add(subject);
  }
  const payments = await paymentsOf(ledger, { until: since, leads }, ({ event, when }) => {
    const { event: time } = readWhen(when);
    return partners.has(event) || touchesRange({ event: time }, range);
  });
  const reversed = await reversedBy(ledger, covered, partners, leads);
  return new Set([...partners, ...payments, ...reversed]);
}

/**
 * The events (public ids) of the movements that events of the range, or some others, say that they reverse, and of those that these
 * reverse.
 */
async function reversedBy(
  ledger: LedgerReader,
  { start, end, since: until }: Covered,
  partners: ReadonlySet<string>,
  leads: ReadonlyMap<string, string>,
): Promise<ReadonlySet<string>> {
  const movements = movementsBy(leads);
  const reportsOf = (uuids: ReadonlySet<string>) =>
    [...uuids].flatMap((uuid) => {
      const id = uuidToId('evt', uuid);
      return [id, ...(movements.get(leads.get(id) ?? id) ?? [])];
    });
  const among = uuidsOf(partners);
  const first = reportsOf(await readReversed(ledger, { start, end, among, until }));
  if (first.length === 0) return new Set();
  const others = { start: 0, end: 0, among: uuidsOf(new Set(first)), until };
  const named = await readReversed(ledger, others);
  return new Set([...first, ...reportsOf(named)]);
}

/** Movements at a place in the chain. */
interface MovementsAt {
  readonly until: number;
  /** The report that leads, by report: public ids. */
  readonly leads: ReadonlyMap<string, string>;
}

/** The events (public ids) of the payments from which links were taken, up to a place in the chain. */
async function paymentsOf(
  ledger: LedgerReader,
  { until, leads }: MovementsAt,
  isShown: (record: InheritanceRecord) => boolean,
): Promise<ReadonlySet<string>> {
  const payments = new Set<string>();
  for await (const record of recordsUntil(ledger, until, selectInheritanceRecords)) {
    if (isShown(record)) payments.add(record.payment);
  }
  if (payments.size === 0) return payments;
  const movements = movementsBy(leads);
  return new Set(
    [...payments].flatMap((id) => [id, ...(movements.get(leads.get(id) ?? id) ?? [])]),
  );
}

/**
 * What a statement about some events shows besides them: the events (public ids) of the movements that they led at a place in
 * the chain, and of the payments from which these took links.
 * @param leads public ids
 */
export async function shownWith(
  ledger: LedgerReader,
  leads: ReadonlySet<string>,
  until: number,
): Promise<readonly string[]> {
  const leadBy = await leadsAt(ledger, until);
  const movements = movementsBy(leadBy);
  const witnesses = [...leads].flatMap((lead) => movements.get(lead) ?? []);
  const shown = new Set([...leads, ...witnesses]);
  const payments = await paymentsOf(ledger, { until, leads: leadBy }, ({ event }) =>
    shown.has(event),
  );
  return [...witnesses, ...payments];
}

/**
 * The events (UUIDs) that were of one movement with one of a choice when the export began.
 * @param choose which of some events (UUIDs) are of the choice
 */
export async function partnersOfChosen(
  ledger: LedgerReader,
  { since }: Covered,
  choose: (eventIds: readonly string[]) => Promise<readonly string[]>,
): Promise<string[]> {
  const movements = [...movementsBy(await leadsAt(ledger, since)).values()]
    .filter(({ length }) => length > 1)
    .map(uuidsOf);
  const all = movements.flat();
  const chosen = new Set<string>();
  for (let at = 0; at < all.length; at += PAGE) {
    for (const id of await choose(all.slice(at, at + PAGE))) chosen.add(id);
  }
  return movements.filter((reports) => reports.some((id) => chosen.has(id))).flat();
}

/** The reports that lead movements at a place in the chain, by those of which a record says it: public ids. */
async function leadsAt(ledger: LedgerReader, until: number): Promise<ReadonlyMap<string, string>> {
  const leads = new Map<string, string>();
  for await (const { subject, lead } of recordsUntil(ledger, until, selectMovementRecords)) {
    leads.set(subject, lead);
  }
  return leads;
}

/** The reports of movements, by the one that leads. */
function movementsBy(leads: ReadonlyMap<string, string>): ReadonlyMap<string, readonly string[]> {
  const movements = new Map<string, string[]>();
  for (const [subject, lead] of leads) {
    const others = movements.get(lead);
    if (others === undefined) movements.set(lead, [subject]);
    else others.push(subject);
  }
  return movements;
}

async function* recordsUntil<Found extends { readonly seq: number }>(
  ledger: LedgerReader,
  until: number,
  select: (ledger: LedgerReader, page: PageOfRecords) => Promise<readonly Found[]>,
): AsyncGenerator<Found> {
  for (let after = 0; ; ) {
    const records = await select(ledger, { after, until, limit: PAGE });
    yield* records;
    const last = records.at(-1);
    if (last === undefined || records.length < PAGE) return;
    after = last.seq;
  }
}

/** @param ids public ids */
export function uuidsOf(ids: Iterable<string>): string[] {
  return [...ids].flatMap((id) => idToUuid('evt', id) ?? []);
}
