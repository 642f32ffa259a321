import { BUNDLES } from '@decision-ledger/proof/bundle/format';
import type { Manifest } from '@decision-ledger/proof/bundle/manifest';
import type { FindingCode } from '../report/codes.js';
import type { Findings } from '../report/findings.js';
import { type ActivityFacts, type History, unpack } from './activity-facts.js';
import { isInRange } from './entries.js';
import type { Inspection } from './inspect.js';

/** An export begins this long before it ends, at most, as far as this check is concerned. */
const EXPORT_MS = 60_000;

/**
 * Checks that the earlier bundle omitted nothing of its range that this one shows. What was recorded while
 * the earlier export ran may be missing there. The logs say when it began, and which positions of the chain it
 * knew.
 */
export function checkOmitted(earlier: Inspection, later: Inspection, findings: Findings): void {
  checkDecisions(earlier, later, findings);
  checkMoney(earlier, later, findings);
}

function checkDecisions(earlier: Inspection, later: Inspection, findings: Findings): void {
  const endedAt = earlier.log.signedAt;
  if (endedAt === null || earlier.run === null || later.run === null) return;
  const { range } = earlier.manifest;
  const [start, end] = [Date.parse(range.start), Date.parse(range.end)];
  const due = Date.parse(endedAt) - EXPORT_MS;
  const covered = coveredBy(earlier);
  for (const { seq, time, recorded } of later.run.places()) {
    if (later.run.isWithheld(seq)) continue;
    const isDue = recorded < due || seq <= covered;
    if (!isDue || time < start || time >= end || earlier.run.hashAt(seq) !== null) continue;
    const message = `The decision of seq ${seq} is in the range of the earlier bundle and was recorded at ${new Date(recorded).toISOString()}. That bundle was made afterwards, and does not have it.`;
    const at = { file: 'entries.ndjson', seq } as const;
    findings.fail('completeness', { code: 'previous_omits', ...at, message });
  }
}

/** The last seq up to which a bundle has every decision that is dated in its range. */
function coveredBy({ manifest, log }: Inspection): number {
  const { basis } = manifest.range;
  const isOpen = log.doubts.some(({ code }) => OPEN.has(code));
  if (basis === 'decided' && !isOpen) return log.size;
  return manifest.decisions?.head?.seq ?? 0;
}

/** Doubts of a range that may still be added to. */
const OPEN: ReadonlySet<FindingCode> = new Set(['edges_unproven', 'lateness_unbounded']);

/** A bundle of another type than all of its range may withhold events and links of it. */
function checkMoney(earlier: Inspection, later: Inspection, findings: Findings): void {
  if (BUNDLES[earlier.manifest.export_type].covers !== 'range') return;
  if (earlier.manifest.selection !== null) return;
  if (earlier.activity === null || later.activity === null) return;
  const since = earlier.manifest.activity?.since ?? 0;
  for (const hidden of notDisclosed(later.activity, earlier.activity, earlier.manifest)) {
    const { id, kind, made } = hidden;
    if (made > since) continue;
    const message = `The earlier bundle withholds ${kind} of its range that this one shows, recorded at seq ${made} of the activity chain.`;
    const at = { file: 'activity.ndjson', seq: made, id } as const;
    findings.fail('completeness', { code: 'previous_omits', ...at, message });
  }
}

/** An event or link that one bundle shows and another one withholds. */
interface Hidden {
  readonly id: string;
  readonly kind: 'an event' | 'a link to an event';
  /** Seq of the activity that made it. */
  readonly made: number;
}

/** A bundle discloses all events of its range and their links: those that another bundle shows besides. */
export function* notDisclosed(
  shown: ActivityFacts,
  own: ActivityFacts,
  manifest: Manifest,
): Generator<Hidden> {
  const liesInRange = (history: History | undefined) => {
    const timestamp = disclosedIn(history, 'timestamp');
    return timestamp !== null && isInRange(manifest, timestamp);
  };
  for (const [id, history] of shown.events) {
    if (!liesInRange(history) || liesInRange(own.events.get(id))) continue;
    yield { id, kind: 'an event', made: madeAt(history) };
  }
  for (const [id, history] of shown.links) {
    const event = disclosedIn(history, 'financial_event_id');
    if (event === null || !liesInRange(own.events.get(event))) continue;
    if (disclosedIn(own.links.get(id), 'financial_event_id') === event) continue;
    yield { id, kind: 'a link to an event', made: madeAt(history) };
  }
}

/** A record about an event or a link that a bundle shows, which is there a hash alone. */
interface Hashed {
  readonly id: string;
  readonly seq: number;
  readonly type: string;
}

/** A filtered bundle shows all records about its events and links: those that it hides, as another bundle shows. */
export function* hashedBy(
  { activity, manifest }: Inspection,
  other: Inspection,
): Generator<Hashed> {
  if (manifest.selection === null || activity === null || other.activity === null) return;
  const last = manifest.activity?.last?.seq ?? 0;
  for (const histories of ['events', 'links'] as const) {
    for (const [id, { changes }] of activity[histories]) {
      const own = new Set(changes.map(({ seq }) => seq));
      for (const { seq, type } of other.activity[histories].get(id)?.changes ?? []) {
        if (seq <= last && !own.has(seq)) yield { id, seq, type };
      }
    }
  }
}

/** A text in the first change of an event or link; null if it is withheld. */
function disclosedIn(history: History | undefined, name: string): string | null {
  const made = history?.changes[0];
  const value = made === undefined ? undefined : unpack(made).get(name);
  return value === undefined ? null : value.slice(1, -1);
}

function madeAt({ changes: [made] }: History): number {
  return made?.seq ?? 0;
}
