import { BUNDLES } from '@decision-ledger/proof/bundle/format';
import type { FindingCode } from '../report/codes.js';
import type { Findings } from '../report/findings.js';
import type { Inspection } from './inspect.js';
import { notDisclosed } from './not-disclosed.js';

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
