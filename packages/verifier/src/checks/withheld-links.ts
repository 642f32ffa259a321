import { BUNDLES } from '@decision-ledger/proof/bundle/format';
import type { RecordsManifest } from '@decision-ledger/proof/bundle/manifest';
import type { Findings } from '../report/findings.js';
import type { ActivityFacts } from './activity-facts.js';

interface Bundle {
  readonly manifest: RecordsManifest;
  readonly activity: ActivityFacts;
  readonly findings: Findings;
}

/**
 * Checks that no link of some events is withheld. A withheld link names no event, but the time of its event: it is of one
 * that has this time. If all that do are due, so is the link; if one of them may be, only the signer attests that it is not.
 * @param due ids of the events whose links the bundle discloses, besides those that the times prove to be of its range
 * @param possible ids of the events of which the bundle may lack what gives them a part of its money
 */
export function checkWithheldLinks(
  { manifest, activity, findings }: Bundle,
  due: ReadonlySet<string>,
  possible: ReadonlySet<string>,
): void {
  const atTime = eventsAtTimes(activity, due, possible);
  const isPlaced = placedBy(manifest);
  for (const [id, { changes, when }] of activity.links) {
    const [made] = changes;
    const [event = '', decision = ''] = when?.split(' ') ?? [];
    const events = atTime.get(event);
    if (events === undefined || made === undefined || made.seq > manifest.activity.since) continue;
    const withheld = changes.filter(({ isWithheld }) => isWithheld).length;
    if (withheld === 0) continue;
    if (events.due === events.all) {
      const message =
        'The data of a link are withheld, although the bundle is about each event that happened at the time of its event.';
      const at = { file: 'activity.ndjson', seq: made.seq, id } as const;
      findings.fail('completeness', { code: 'withheld_in_range', ...at, message });
    } else if (!isPlaced(event, decision)) {
      activity.outside -= withheld;
      activity.withheld += withheld;
    }
  }
}

/** How many events happened at the times of some, and how many of them are due. */
function eventsAtTimes(
  { events }: ActivityFacts,
  due: ReadonlySet<string>,
  possible: ReadonlySet<string>,
) {
  const atTime = new Map<string, { all: number; due: number }>();
  for (const id of [...due, ...possible]) {
    const time = events.get(id)?.when ?? null;
    if (time !== null) atTime.set(time, { all: 0, due: 0 });
  }
  for (const [id, { when }] of events) {
    const counts = when === null ? undefined : atTime.get(when);
    if (counts === undefined) continue;
    counts.all++;
    if (due.has(id)) counts.due++;
  }
  return atTime;
}

/** Whether the times of a link, as `timesKey` writes them, are of the range by themselves. */
function placedBy({ range, export_type }: RecordsManifest) {
  const [start, end] = [Date.parse(range.start), Date.parse(range.end)];
  const isIn = (key: string) => {
    const time = Number.parseInt(key, 36);
    return start <= time && time < end;
  };
  const { covers } = BUNDLES[export_type];
  return (event: string, decision: string) => isIn(event) || (covers !== 'agent' && isIn(decision));
}
