import { FILES } from '@decision-ledger/proof/bundle/format';
import type { RecordsManifest } from '@decision-ledger/proof/bundle/manifest';
import { RECORDED_EVENT_MEMBERS, replayEvent } from '@decision-ledger/proof/replay/events';
import { LINK_MAKINGS, LINK_MEMBERS } from '@decision-ledger/proof/replay/links';
import { type Change, timeOf, unpack, unpackAll } from './activity-facts.js';
import { chainsCheck } from './chains.js';
import type { ContentCheck, ContentInput } from './contents.js';
import { checkDecisions } from './decisions.js';
import { isInRange } from './entries.js';
import type { Files } from './files.js';
import { HistoryCheck, LinkHistories, type RecordsContext } from './histories.js';
import { checkInheritance } from './inheritance.js';
import { Movements } from './movements.js';
import { RecordLines } from './record-lines.js';
import { Chosen, Withheld } from './selection/chosen.js';
import { checkWithheldLinks } from './withheld-links.js';

/** Verifies both chains, compares every record with them, and what is shown with the filter. */
export function forensicCheck(
  manifest: RecordsManifest,
  input: ContentInput,
): ContentCheck<'forensic'> {
  const { files, findings, otherFilter } = input;
  const { selection } = manifest;
  const withheld = selection === null ? null : new Withheld(findings);
  const chosen = selection === null ? null : new Chosen({ manifest, selection, findings });
  const { steps, entries, activity, conclude } = chainsCheck(manifest, input, withheld);
  const known = { manifest, activity, findings, chosen };
  return {
    steps: {
      'withheld.ndjson': async () => withheld?.read(files),
      ...steps,
      'decisions.json': () => {
        const { run, epoch } = entries;
        return checkDecisions(files, { ...known, run, epoch: epoch ?? 1, otherFilter });
      },
      'events.json': () => checkEvents(files, known),
      'links.json': () => checkLinks(files, known),
    },
    async conclude() {
      chosen?.endRecords();
      if (withheld !== null) chosen?.endCounts(entries.run, withheld, activity);
      return { ...(await conclude()), chosen };
    },
  };
}

const EVENTS = 'events.json';

/**
 * Checks that each financial event matches the activity, and that no event of the range is missing. A filter
 * chooses events by their links, whenever they happened.
 */
async function checkEvents(files: Files, known: RecordsContext): Promise<void> {
  const { manifest, activity, findings, chosen } = known;
  const isDue = (timestamp: string) => chosen !== null || isInRange(manifest, timestamp);
  const movements = new Movements(activity, manifest.activity.since);
  const shown = new Set([...activity.events.keys()].filter(isShown(known)));
  const payments = checkInheritance(known, movements, shown);
  if (chosen === null) for (const id of payments) activity.partners.add(id);
  const kind = {
    file: EVENTS,
    histories: activity.events,
    members: [...RECORDED_EVENT_MEMBERS, 'superseded_by', 'created_at', 'deleted_at'],
    replay: (changes: readonly Change[]) => replayEvent(unpackAll(changes)),
    makings: ['financial_event.recorded'],
    orderedBy: FILES[EVENTS].orderedBy,
  };
  const check = new HistoryCheck({ kind, manifest, activity, findings });
  const lines = new RecordLines(EVENTS, findings, (record) => {
    chosen?.event(record);
    if (!isDue(record.time('timestamp')) && !activity.partners.has(record.text('id'))) {
      const message = 'The financial event is not in the range.';
      check.fail('event_outside', message, record.text('id'), null, 'completeness');
    }
    check.check(record);
  });
  await files.lines(EVENTS, lines);
  lines.end();
  for (const [id, made] of check.missing()) {
    const timestamp = unpack(made).get('timestamp')?.slice(1, -1);
    if (timestamp === undefined || isDue(timestamp) || activity.partners.has(id)) {
      const message = `A financial event of ${timestamp ?? 'a time that is withheld'} was recorded, but is not in ${EVENTS}.`;
      check.fail('event_missing', message, id, made.seq, 'completeness');
    }
  }
  const isPayment = (id: string) => payments.has(id);
  checkMovements(known, movements, { isDue, isPayment }, (id, problem) =>
    check.fail('movement_differs', problem, id, null),
  );
}

/** Which events the bundle shows with their links; of a filtered one, those that are disclosed. */
function isShown({ manifest, activity, chosen }: RecordsContext) {
  return (id: string): boolean => {
    const { changes: [made] = [], when = null } = activity.events.get(id) ?? {};
    if (chosen !== null) return made !== undefined && made.data !== null;
    return activity.partners.has(id) || (when !== null && isInRange(manifest, timeOf(when)));
  };
}

/** Whether a time is of the bundle, and whether links were taken from an event by a reversal of it. */
interface Due {
  isDue(timestamp: string): boolean;
  isPayment(id: string): boolean;
}

/** Checks the reports of each movement that has one of the range, and which of them leads. */
function checkMovements(
  { activity, chosen }: RecordsContext,
  movements: Movements,
  { isDue, isPayment }: Due,
  fail: (id: string, problem: string) => void,
): void {
  for (const lead of movements.leads) {
    chosen?.movement(movements.membersOf(lead));
    const isOfRange = [lead, ...movements.membersOf(lead)].some((id) => {
      const time = activity.events.get(id)?.when ?? null;
      return isPayment(id) || (time !== null && isDue(timeOf(time)));
    });
    if (!isOfRange) continue;
    const problem = movements.problemOf(lead);
    if (problem !== null) fail(lead, problem);
  }
}

const LINKS = 'links.json';

/** Checks that each link matches the activity, and that no link with disclosed activity is missing. */
async function checkLinks(
  files: Files,
  { manifest, activity, findings, chosen }: RecordsContext,
): Promise<void> {
  const histories = new LinkHistories(activity.links);
  const kind = {
    file: LINKS,
    histories: activity.links,
    members: LINK_MEMBERS,
    replay: (changes: readonly Change[]) => histories.replay(changes),
    makings: LINK_MAKINGS,
    orderedBy: FILES[LINKS].orderedBy,
  };
  const check = new HistoryCheck({ kind, manifest, activity, findings });
  const lines = new RecordLines(LINKS, findings, (record) => {
    chosen?.link(record, activity);
    check.check(record);
  });
  await files.lines(LINKS, lines);
  lines.end();
  for (const [id, made] of check.missing()) {
    const message = `A link was created or suggested, but is not in ${LINKS}.`;
    check.fail('link_missing', message, id, made.seq, 'completeness');
  }
  if (chosen === null)
    checkWithheldLinks({ manifest, activity, findings }, activity.partners, NONE);
}

const NONE: ReadonlySet<string> = new Set();
