import type { FindingCode } from '../report/codes.js';
import type { Findings } from '../report/findings.js';
import { shown } from './entries.js';
import type { Inspection } from './inspect.js';

/** The bundle goes on from an earlier one of the same ledger, without a gap or a contradiction. */
export function checkPrevious(earlier: Inspection, later: Inspection, findings: Findings): void {
  if (earlier.manifest.ledger !== later.manifest.ledger) {
    const message = `The earlier bundle is of the ledger ${earlier.manifest.ledger}, this one of ${later.manifest.ledger}.`;
    findings.fail('completeness', { code: 'previous_other_ledger', message });
    return;
  }
  const signer = earlier.signer.key?.fingerprint;
  if (signer !== undefined && !later.keys.has(signer)) {
    const message = `keys.json does not list the key of the earlier bundle, ${signer}.`;
    findings.fail('completeness', { code: 'previous_contradicts', file: 'keys.json', message });
  }
  checkActivity(earlier, later, findings);
  checkRuns(earlier, later, findings);
}

function checkActivity(earlier: Inspection, later: Inspection, findings: Findings): void {
  const [before, now] = [earlier.manifest.activity, later.manifest.activity];
  if (before?.last == null || now?.last == null || later.activity === null) {
    unknown(findings, 'A bundle without the chain of activity cannot be joined to another by it.');
  } else if (before.last.seq > now.last.seq) {
    unknown(
      findings,
      'The chain of activity of the earlier bundle is longer: is it the later one?',
    );
  } else if (later.activity.watchedHash !== before.last.hash) {
    const message = `The chain of activity does not hold the last entry of the earlier bundle, ${shown(before.last)}.`;
    findings.fail('completeness', {
      ...{ code: 'previous_activity', file: 'activity.ndjson', seq: before.last.seq, message },
    });
  }
}

function checkRuns(earlier: Inspection, later: Inspection, findings: Findings): void {
  if (earlier.run === null || later.run === null) {
    unknown(findings, 'A bundle without the run of entries cannot be joined to another by it.');
    return;
  }
  for (const { seq, hash } of later.run.places()) {
    const other = earlier.run.hashAt(seq);
    if (other !== null && other !== hash) {
      const message = `The decision of seq ${seq} has the hash ${hash}, and ${other} in the earlier bundle.`;
      fail(findings, 'previous_contradicts', seq, message);
    }
  }
  checkKept(earlier, later, findings);
  const [first, last] = [later.manifest.decisions?.first, earlier.manifest.decisions?.last];
  if (first == null || last == null) {
    unknown(findings, 'One of the bundles has no decision, so that nothing joins them.');
  } else if (first.seq > last.seq + 1) {
    const message = `The decisions from seq ${last.seq + 1} to ${first.seq - 1} are in neither bundle.`;
    findings.doubt('completeness', { code: 'previous_hole', seq: last.seq + 1, message });
  } else if (first.seq === last.seq + 1 && first.prevHash !== last.hash) {
    const message = `The first decision names ${first.prevHash} as the hash of the one before it; the last one of the earlier bundle has ${last.hash}.`;
    fail(findings, 'previous_contradicts', first.seq, message);
  } else {
    checkOtherSide(earlier, later, findings);
  }
}

/** What the earlier bundle has of the range of this one has to be in this one too. */
function checkKept(earlier: Inspection, later: Inspection, findings: Findings): void {
  if (earlier.run === null || later.run === null) return;
  const { range, activity } = later.manifest;
  const [start, end] = [Date.parse(range.start), Date.parse(range.end)];
  // What is fixed before the other one ended may lack what came between.
  const isLater = (activity?.since ?? 0) >= (earlier.manifest.activity?.last?.seq ?? 0);
  for (const { seq, time } of earlier.run.places()) {
    if (!(start <= time && time < end) || later.run.hashAt(seq) !== null) continue;
    const message = `The decision of seq ${seq} lies in the range and is in the run of the earlier bundle, and not in this one.`;
    const finding = { code: 'previous_contradicts', file: 'entries.ndjson', seq, message } as const;
    if (isLater) findings.fail('completeness', finding);
    else findings.doubt('completeness', { ...finding, code: 'previous_unknown' });
  }
}

/** A bundle of an older range meets the earlier one at its end, or leaves a hole in front of it. */
function checkOtherSide(earlier: Inspection, later: Inspection, findings: Findings): void {
  const [first, last] = [earlier.manifest.decisions?.first, later.manifest.decisions?.last];
  if (first == null || last == null) return;
  if (last.seq + 1 < first.seq) {
    const message = `The decisions from seq ${last.seq + 1} to ${first.seq - 1} are in neither bundle.`;
    findings.doubt('completeness', { code: 'previous_hole', seq: last.seq + 1, message });
  } else if (last.seq + 1 === first.seq && first.prevHash !== last.hash) {
    const message = `The last decision has the hash ${last.hash}; the first one of the earlier bundle names ${first.prevHash} as the one before it.`;
    fail(findings, 'previous_contradicts', last.seq, message);
  }
}

function fail(findings: Findings, code: FindingCode, seq: number, message: string): void {
  findings.fail('completeness', { code, file: 'entries.ndjson', seq, message });
}

function unknown(findings: Findings, message: string): void {
  findings.doubt('completeness', { code: 'previous_unknown', message });
}
