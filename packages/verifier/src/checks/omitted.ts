import { BUNDLES } from '@decision-ledger/proof/bundle/format';
import type { Findings } from '../report/findings.js';
import type { Inspection } from './inspect.js';
import { notDisclosed } from './not-disclosed.js';

/** An export begins this long before it ends, at most, as far as this check is concerned. */
const EXPORT_MS = 60_000;

/**
 * Checks that the earlier bundle omitted nothing of its range that this one shows. What was recorded while
 * the earlier export ran may be missing there. With transparency logs, they say when it began.
 */
export function checkOmitted(earlier: Inspection, later: Inspection, findings: Findings): void {
  checkDecisions(earlier, later, findings);
  checkMoney(earlier, later, findings);
}

function checkDecisions(earlier: Inspection, later: Inspection, findings: Findings): void {
  const endedAt = earlier.log?.signedAt ?? earlier.activity?.lastAt ?? null;
  if (endedAt === null || earlier.run === null || later.run === null) return;
  const { range } = earlier.manifest;
  const [start, end] = [Date.parse(range.start), Date.parse(range.end)];
  const due = Date.parse(endedAt) - EXPORT_MS;
  for (const { seq, time, recorded } of later.run.places()) {
    const isDue = start <= time && time < end && recorded < due;
    if (!isDue || earlier.run.hashAt(seq) !== null) continue;
    const message = `The decision of seq ${seq} is in the range of the earlier bundle and was recorded at ${new Date(recorded).toISOString()}, before that bundle was made, but is not in it.`;
    const at = { file: 'entries.ndjson', seq } as const;
    findings.fail('completeness', { code: 'previous_omits', ...at, message });
  }
}

/** A bundle of another type than all of its range may withhold events and links of it. */
function checkMoney(earlier: Inspection, later: Inspection, findings: Findings): void {
  if (BUNDLES[earlier.manifest.export_type].covers !== 'range') return;
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
