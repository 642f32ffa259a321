import { BUNDLES } from '@decision-ledger/proof/bundle/format';
import type { FindingCode } from '../report/codes.js';
import type { Findings } from '../report/findings.js';
import type { Finding } from '../report/report.js';
import { unpack } from './activity-facts.js';
import type { Inspection } from './inspect.js';
import { checkOmitted, hashedBy, notDisclosed } from './omitted.js';
import { describePoint } from './run.js';

/** Checks that the bundle continues an earlier one of the same ledger, without gap or contradiction. */
export function checkPrevious(earlier: Inspection, later: Inspection, findings: Findings): void {
  const [theirs, ours] = [describeLedger(earlier), describeLedger(later)];
  if (theirs !== ours) {
    const message = `The earlier bundle belongs to ${theirs}, this one to ${ours}.`;
    findings.fail('completeness', { code: 'previous_other_ledger', message });
    return;
  }
  const signer = earlier.signer.key?.fingerprint;
  if (signer !== undefined && !later.keys.has(signer)) {
    const message = `keys.json does not list the key of the earlier bundle, ${signer}.`;
    findings.fail('completeness', { code: 'previous_contradicts', file: 'keys.json', message });
  }
  checkActivity(earlier, later, findings);
  checkGenesis(earlier, later, findings);
  checkRuns(earlier, later, findings);
  checkKept(earlier, later, findings);
  checkOmitted(earlier, later, findings);
  checkSelections(earlier, later, findings);
}

function describeLedger({ manifest: { ledger, organisation, mode } }: Inspection): string {
  return `the ledger ${ledger} (${mode}) of ${organisation}`;
}

function checkGenesis(earlier: Inspection, later: Inspection, findings: Findings): void {
  const [before, now] = [earlier.genesisHash, later.genesisHash];
  if (before === null || now === null || before === now) return;
  const message = `The genesis of the decision chain has the hash ${now}, but ${before} in the earlier bundle.`;
  findings.fail('completeness', { code: 'previous_contradicts', message });
}

function checkActivity(earlier: Inspection, later: Inspection, findings: Findings): void {
  const [before, now] = [earlier.manifest.activity, later.manifest.activity];
  if (before?.last == null || now?.last == null || later.activity === null) {
    unknown(
      findings,
      'A bundle without the activity chain cannot be compared with another by that chain.',
    );
  } else if (before.last.seq > now.last.seq) {
    unknown(
      findings,
      'The activity chain of the earlier bundle is longer: the two bundles may be swapped.',
    );
  } else if (later.activity.watchedHash !== before.last.hash) {
    const message = `The activity chain does not contain the last entry of the earlier bundle, ${describePoint(before.last)}.`;
    findings.fail('completeness', {
      code: 'previous_activity',
      file: 'activity.ndjson',
      seq: before.last.seq,
      message,
    });
  }
}

function checkRuns(earlier: Inspection, later: Inspection, findings: Findings): void {
  if (earlier.run === null || later.run === null) {
    unknown(findings, 'A bundle of sums cannot be compared with another bundle.');
    return;
  }
  for (const { seq, hash } of later.run.places()) {
    const other = earlier.run.hashAt(seq);
    if (other !== null && other !== hash) {
      const message = `The decision of seq ${seq} has the hash ${hash}, but ${other} in the earlier bundle.`;
      fail(findings, 'previous_contradicts', seq, message);
    }
  }
  const [first, last] = [later.manifest.decisions?.first, earlier.manifest.decisions?.last];
  if (first == null || last == null) {
    unknown(findings, 'One of the bundles has no decision, so nothing connects them.');
  } else if (first.seq > last.seq + 1) {
    const message = `The decisions from seq ${last.seq + 1} to ${first.seq - 1} are in neither bundle.`;
    findings.doubt('completeness', { code: 'previous_hole', seq: last.seq + 1, message });
  } else if (first.seq === last.seq + 1 && first.prev_hash !== last.hash) {
    const message = `The first decision names ${first.prev_hash} as the hash of the previous one; the last decision of the earlier bundle has ${last.hash}.`;
    fail(findings, 'previous_contradicts', first.seq, message);
  } else {
    checkOtherSide(earlier, later, findings);
  }
}

/**
 * Checks that this bundle has everything that the earlier one shows of its range. A bundle that was begun
 * before the earlier one was finished may lack changes made in between, and a statement shows the part of
 * one agent alone.
 */
function checkKept(earlier: Inspection, later: Inspection, findings: Findings): void {
  if (BUNDLES[later.manifest.export_type].covers === 'agent') return;
  const since = later.manifest.activity?.since ?? 0;
  const isLater = since >= (earlier.manifest.activity?.last?.seq ?? Number.POSITIVE_INFINITY);
  for (const { message, ...at } of notKept(earlier, later)) {
    if (isLater) findings.fail('completeness', { code: 'previous_contradicts', ...at, message });
    else
      unknown(
        findings,
        `${message} It may have been begun before the earlier one was finished.`,
        at,
      );
  }
}

interface Lack {
  readonly seq?: number;
  readonly id?: string;
  readonly message: string;
}

function* notKept(earlier: Inspection, later: Inspection): Generator<Lack> {
  const { range } = later.manifest;
  const [start, end] = [Date.parse(range.start), Date.parse(range.end)];
  for (const { seq, time } of (later.run && earlier.run?.places()) ?? []) {
    if (!(start <= time && time < end) || later.run?.hashAt(seq) !== null) continue;
    const message = `The decision of seq ${seq} is in the earlier bundle and in the range, but not in this bundle.`;
    yield { seq, message };
  }
  if (BUNDLES[later.manifest.export_type].covers === 'decisions') return;
  // What a filter did not choose is withheld; its links are compared with those of the same decisions.
  if (later.manifest.selection !== null) return;
  if (earlier.activity === null || later.activity === null) return;
  for (const { id, kind } of notDisclosed(earlier.activity, later.activity, later.manifest)) {
    yield { id, message: `This bundle withholds ${kind} of the range that the earlier one shows.` };
  }
}

/** Checks a bundle of an older range: it ends where the earlier one begins, or leaves a gap. */
function checkOtherSide(earlier: Inspection, later: Inspection, findings: Findings): void {
  const [first, last] = [earlier.manifest.decisions?.first, later.manifest.decisions?.last];
  if (first == null || last == null) return;
  if (last.seq + 1 < first.seq) {
    const message = `The decisions from seq ${last.seq + 1} to ${first.seq - 1} are in neither bundle.`;
    findings.doubt('completeness', { code: 'previous_hole', seq: last.seq + 1, message });
  } else if (last.seq + 1 === first.seq && first.prev_hash !== last.hash) {
    const message = `The last decision has the hash ${last.hash}; the first one of the earlier bundle names ${first.prev_hash} as the hash before it.`;
    fail(findings, 'previous_contradicts', last.seq, message);
  }
}

function fail(findings: Findings, code: FindingCode, seq: number, message: string): void {
  findings.fail('completeness', { code, file: 'entries.ndjson', seq, message });
}

function unknown(
  findings: Findings,
  message: string,
  at: { seq?: number; id?: string } = {},
): void {
  findings.doubt('completeness', { code: 'previous_unknown', ...at, message });
}

/**
 * Checks that neither of two bundles withholds a decision that its own filter chooses and that the other one
 * shows. Decisions never change, so the order of the bundles does not matter, unless fields were erased.
 */
function checkSelections(earlier: Inspection, later: Inspection, findings: Findings): void {
  for (const { seq, wasErased } of withheldBy(later, earlier)) {
    const message = `The earlier bundle shows the decision of seq ${seq}, which the filter chooses. This bundle withholds it.`;
    const finding = { file: 'withheld.ndjson', seq } as const;
    if (!wasErased) {
      findings.fail('selection', { code: 'previous_contradicts', ...finding, message });
      continue;
    }
    const erased = `${message} A field of it was erased in between, so it may no longer match.`;
    findings.doubt('selection', { code: 'previous_unknown', ...finding, message: erased });
  }
  for (const { seq } of withheldBy(earlier, later)) {
    const message = `This bundle shows the decision of seq ${seq}, which the filter of the earlier bundle chooses. The earlier bundle withholds it.`;
    findings.fail('completeness', { code: 'previous_omits', seq, message });
  }
  for (const { id, seq, type } of hashedBy(later, earlier)) {
    const message = `A record of the type ${type} about what this bundle shows is a hash in it; the earlier bundle shows the record.`;
    const at = { file: 'activity.ndjson', seq, id } as const;
    findings.fail('selection', { code: 'previous_contradicts', ...at, message });
  }
  for (const { id, seq, type } of hashedBy(earlier, later)) {
    const message = `A record of the type ${type} about what the earlier bundle shows is a hash in that bundle; this one shows the record.`;
    const at = { file: 'activity.ndjson', seq, id } as const;
    findings.fail('completeness', { code: 'previous_omits', ...at, message });
  }
  for (const finding of linksNotShown(earlier, later)) findings.doubt('selection', finding);
}

interface Withheld {
  readonly seq: number;
  /** Whether the bundle shows that a field of the decision was erased. */
  readonly wasErased: boolean;
}

/** The decisions that a bundle withholds though its filter chooses them, as another bundle shows. */
function* withheldBy(
  { run, manifest, activity }: Inspection,
  other: Inspection,
): Generator<Withheld> {
  const { selection, range } = manifest;
  if (selection === null || run === null) return;
  const [start, end] = [Date.parse(range.start), Date.parse(range.end)];
  for (const { seq, time, id } of other.run?.chosen() ?? []) {
    if (time < start || time >= end || !run.isWithheld(seq)) continue;
    yield { seq, wasErased: activity?.hidesErasure(id) === true };
  }
}

/** Links of decisions that both bundles show, which the later one lacks. They may have been rejected since. */
function* linksNotShown(earlier: Inspection, later: Inspection): Generator<Finding> {
  if (later.chosen === null || earlier.activity === null || later.activity === null) return;
  for (const [id, { changes }] of earlier.activity.links) {
    const [made] = changes;
    const decision = made && unpack(made).get('decision_id')?.slice(1, -1);
    if (decision === undefined || !later.chosen.decisions.has(decision)) continue;
    if (later.activity.links.has(id)) continue;
    const message =
      'The earlier bundle shows a link of a disclosed decision, which this one withholds. It may never have been confirmed, or was rejected since.';
    yield { code: 'previous_unknown', file: 'links.json', id, message };
  }
}
