import { formatTimestamp } from '@decision-ledger/contract/time';
import { readWhen, touchesRange } from '@decision-ledger/proof/when';
import { type IdPrefix, idToUuid, uuidToId } from '../../../platform/ids.js';
import { type ActivityRecord, selectSubjectBounds } from '../../log/activity/index.js';
import { selectDecisionsInRange } from '../../record/decisions/index.js';
import { selectEventsInRange } from '../../record/financial-events/index.js';
import { selectLinksInRange } from '../../record/links/index.js';
import type { VerifiedRun } from './export-run.js';
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
 * The subjects of records that the bundle has: those of the range that existed when the export started. The
 * chain decides this by the times that its records state. Those about decisions state none: the table does.
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
  const stored: string[] = [];
  for (const prefix of prefixes) {
    const ids = await WHICH[prefix](ledger, snapshot, uuidsOf(prefix, shown));
    stored.push(...ids.map((uuid) => uuidToId(prefix, uuid)));
  }
  const byTables = new Set(stored);
  const { chosen, disputed }: Choice = run.chains.activity.is_valid
    ? chooseByChain(run, shown, byTables)
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

interface Choice {
  readonly chosen: ReadonlySet<string>;
  /** Subjects of which the tables say the opposite: whether the chain has them in the range. */
  readonly disputed: ReadonlyMap<string, boolean>;
}

/** @param stored the subjects that the tables have in the range */
function chooseByChain(
  { snapshot }: VerifiedRun,
  records: readonly ActivityRecord[],
  stored: ReadonlySet<string>,
): Choice {
  const range = { start: formatTimestamp(snapshot.start), end: formatTimestamp(snapshot.end) };
  const chosen = new Set<string>();
  const disputed = new Map<string, boolean>();
  for (const { subject, when } of records) {
    const isStored = stored.has(subject);
    const isInRange = when === null ? isStored : touchesRange(readWhen(when), range);
    if (isInRange) chosen.add(subject);
    if (isInRange !== isStored) disputed.set(subject, isInRange);
  }
  return { chosen, disputed };
}

function uuidsOf(prefix: IdPrefix, records: readonly ActivityRecord[]): string[] {
  const uuids = records
    .filter(({ subject }) => subject.startsWith(`${prefix}_`))
    .map(({ subject }) => idToUuid(prefix, subject))
    .filter((uuid) => uuid !== null);
  return [...new Set(uuids)];
}
