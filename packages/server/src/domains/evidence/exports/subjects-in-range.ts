import { formatTimestamp } from '@decision-ledger/contract/time';
import { readWhen, touchesRange } from '@decision-ledger/proof/when';
import { type IdPrefix, idToUuid, uuidToId } from '../../../platform/ids.js';
import { type ActivityRecord, selectSubjectBounds } from '../../log/activity/index.js';
import { whichInRange as whichDecisions } from '../../record/decisions/index.js';
import { whichInRange as whichEvents } from '../../record/financial-events/index.js';
import { whichInRange as whichLinks } from '../../record/links/index.js';
import type { VerifiedRun } from './export-run.js';
import { differsFromChain } from './require-reconciled.js';

const WHICH = { dec: whichDecisions, evt: whichEvents, lnk: whichLinks } as const;

/** The kinds of subjects that a bundle may have records of. */
const PREFIXES = ['dec', 'evt', 'lnk'] as const;
type Prefix = (typeof PREFIXES)[number];

/**
 * The subjects of records that the bundle has: those of the range that existed when the export started. The
 * chain decides this by the times that its records state. Only where they state none, as those of former
 * releases, the tables do.
 * @param prefixes the kinds of subjects that the bundle shows
 * @throws ReconciliationError if a table has an event or a link elsewhere than the chain
 */
export async function subjectsInRange(
  run: VerifiedRun,
  records: readonly ActivityRecord[],
  prefixes: readonly Prefix[] = PREFIXES,
): Promise<ReadonlySet<string>> {
  const { db, scope, snapshot } = run;
  const shown = records.filter(({ subject }) =>
    prefixes.some((prefix) => subject.startsWith(`${prefix}_`)),
  );
  const stored: string[] = [];
  for (const prefix of prefixes) {
    const ids = await WHICH[prefix](db, scope, snapshot, uuidsOf(prefix, shown));
    stored.push(...ids.map((uuid) => uuidToId(prefix, uuid)));
  }
  const found = run.chains.activity.is_valid ? chosenByChain(run, shown, new Set(stored)) : stored;
  const bounds = await selectSubjectBounds(db, scope, [...found]);
  return new Set(
    [...found].filter((subject) => (bounds.get(subject)?.first ?? 0) <= snapshot.since),
  );
}

/** @param stored the subjects that the tables have in the range */
function chosenByChain(
  { snapshot }: VerifiedRun,
  records: readonly ActivityRecord[],
  stored: ReadonlySet<string>,
): ReadonlySet<string> {
  const range = { start: formatTimestamp(snapshot.start), end: formatTimestamp(snapshot.end) };
  const chosen = new Set<string>();
  for (const { subject, when } of records) {
    const isStored = stored.has(subject);
    const isInRange = when === null ? isStored : touchesRange(readWhen(when), range);
    if (isInRange !== isStored) {
      const [due, found] = isInRange ? ['in', 'missing or outside of'] : ['outside of', 'in'];
      throw differsFromChain(
        `${subject} is ${due} the range according to its records, and ${found} it according to its table`,
      );
    }
    if (isInRange) chosen.add(subject);
  }
  return chosen;
}

function uuidsOf(prefix: IdPrefix, records: readonly ActivityRecord[]): string[] {
  const uuids = records
    .filter(({ subject }) => subject.startsWith(`${prefix}_`))
    .map(({ subject }) => idToUuid(prefix, subject))
    .filter((uuid) => uuid !== null);
  return [...new Set(uuids)];
}
