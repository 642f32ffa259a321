import { formatTimestamp } from '@decision-ledger/contract/time';
import { readJson, Shape } from '@decision-ledger/proof/bundle/shape';
import { parseDisclosure } from '@decision-ledger/proof/commitment';
import { readWhen, touchesRange } from '@decision-ledger/proof/when';
import { type IdPrefix, idToUuid, uuidToId } from '../../../platform/ids.js';
import { type ActivityRecord, selectSubjectBounds } from '../../log/activity/index.js';
import { selectDecisionsInRange } from '../../record/decisions/index.js';
import { selectEventsInRange } from '../../record/financial-events/index.js';
import { selectLinksInRange } from '../../record/links/index.js';
import type { VerifiedRun } from './export-run.js';
import { partnersInRange } from './movements.js';
import { differsFromChain } from './verify-chains.js';

const WHICH = {
  dec: selectDecisionsInRange,
  evt: selectEventsInRange,
  lnk: selectLinksInRange,
} as const;

/** The kinds of subjects that a bundle may have records of. */
const PREFIXES = ['dec', 'evt', 'lnk'] as const;
type Prefix = (typeof PREFIXES)[number];

/**
 * The subjects of records that the bundle has: those of the range that existed when the export started, and the events that
 * report the same money or from which links are taken, with their links. The chain decides this by the times that its records state. Those about decisions state none: the
 * table does.
 * @param prefixes the kinds of subjects that the bundle shows
 * @throws ReconciliationError if a table has an event or a link elsewhere than the chain
 */
export async function subjectsInRange(
  run: VerifiedRun,
  records: readonly ActivityRecord[],
  prefixes: readonly Prefix[] = PREFIXES,
): Promise<ReadonlySet<string>> {
  const { ledger, snapshot } = run;
  const shown = records.filter(({ subject }) =>
    prefixes.some((prefix) => subject.startsWith(`${prefix}_`)),
  );
  const isOfMoney = prefixes.includes('evt');
  const partners = isOfMoney ? await partnersOf(run) : NONE;
  const events = new Set(isOfMoney ? shown.flatMap((record) => eventOf(record) ?? []) : []);
  const among = [...events].filter((event) => partners.has(event));
  const range = { ...snapshot, partners: uuidsOf('evt', among) };
  const stored: string[] = [];
  for (const prefix of prefixes) {
    const subjects = shown.map(({ subject }) => subject);
    const ids = await WHICH[prefix](ledger, range, uuidsOf(prefix, subjects));
    stored.push(...ids.map((uuid) => uuidToId(prefix, uuid)));
  }
  const own = shown.flatMap(({ subject }) => (partners.has(subject) ? [subject] : []));
  const byTables = new Set([...stored, ...own]);
  const { chosen, disputed }: Choice = run.chains.activity.is_valid
    ? chooseByChain(run, shown, byTables, partners)
    : { chosen: byTables, disputed: new Map() };
  const bounds = await selectSubjectBounds(ledger, [...chosen, ...disputed.keys()]);
  // A later link may have a decision of the range that is not in the bundle, which the tables leave out.
  const existed = (subject: string) => (bounds.get(subject)?.first ?? 0) <= snapshot.since;
  for (const [subject, isInRange] of disputed) {
    if (!existed(subject)) continue;
    const [due, found] = isInRange ? ['in', 'missing or outside of'] : ['outside of', 'in'];
    throw differsFromChain(
      `${subject} is ${due} the range according to its records, and ${found} it according to its table`,
    );
  }
  return new Set([...chosen].filter(existed));
}

const NONE: ReadonlySet<string> = new Set();
const PARTNERS = new WeakMap<VerifiedRun, Promise<ReadonlySet<string>>>();

/** The events (public ids) that are of the range whenever they happened, read once. */
function partnersOf(run: VerifiedRun): Promise<ReadonlySet<string>> {
  const known = PARTNERS.get(run) ?? partnersInRange(run.ledger, run.snapshot);
  PARTNERS.set(run, known);
  return known;
}

interface Choice {
  readonly chosen: ReadonlySet<string>;
  /** Subjects of which the tables say the opposite: whether the chain has them in the range. */
  readonly disputed: ReadonlyMap<string, boolean>;
}

/**
 * @param stored the subjects that the tables have in the range
 * @param partners events that are of the range, whenever they happened
 */
function chooseByChain(
  { snapshot }: VerifiedRun,
  records: readonly ActivityRecord[],
  stored: ReadonlySet<string>,
  partners: ReadonlySet<string>,
): Choice {
  const range = { start: formatTimestamp(snapshot.start), end: formatTimestamp(snapshot.end) };
  const chosen = new Set<string>();
  const disputed = new Map<string, boolean>();
  for (const record of records) {
    const { subject, when } = record;
    const isStored = stored.has(subject);
    const isInRange =
      when === null
        ? isStored
        : partners.has(eventOf(record) ?? '') ||
          touchesRange({ ...readWhen(when), others: [] }, range);
    if (isInRange) chosen.add(subject);
    if (isInRange !== isStored) disputed.set(subject, isInRange);
  }
  return { chosen, disputed };
}

/** The event (public id) that a record is about, or that of its link; null if there is none. */
function eventOf({ subject, data }: ActivityRecord): string | null {
  if (subject.startsWith('evt_')) return subject;
  if (!subject.startsWith('lnk_') || data === null) return null;
  return new Shape(readJson(parseDisclosure(data, 'data').value)).optText('financial_event_id');
}

function uuidsOf(prefix: IdPrefix, subjects: Iterable<string>): string[] {
  const uuids = [...subjects]
    .filter((subject) => subject.startsWith(`${prefix}_`))
    .map((subject) => idToUuid(prefix, subject))
    .filter((uuid) => uuid !== null);
  return [...new Set(uuids)];
}
