import type { Selection, SelectionFilter } from '@decision-ledger/proof/bundle/selection';
import type { ByteSource } from './archive/byte-source.js';
import { ArchiveError, GuardedSource } from './archive/guarded-source.js';
import { openArchive, reason } from './archive/open.js';
import { checkAuthenticity, checkLimits } from './checks/conclude.js';
import type { Progress } from './checks/files.js';
import { type Inspection, type InspectOptions, inspectBundle } from './checks/inspect.js';
import { normalFingerprint } from './checks/keys.js';
import { readKept } from './checks/log/kept.js';
import { readManifest } from './checks/manifest.js';
import { checkPrevious } from './checks/previous.js';
import { FINDINGS, type FindingCode } from './report/codes.js';
import { Findings } from './report/findings.js';
import type { BundleSummary, Report, Verdict, VerdictName } from './report/report.js';
import { basisOf, hasSignedFiles, outcomeOf, sentenceOf } from './report/sentences.js';

export type { ByteSource } from './archive/byte-source.js';
export type { Report } from './report/report.js';

export interface VerifyOptions {
  /**
   * SHA-256, in hexadecimal, of the key that the bundle must be signed with. Upper case and colons are
   * allowed.
   */
  readonly keyFingerprint?: string;
  /** An earlier bundle of the same ledger, which this one must continue. */
  readonly previous?: ByteSource;
  /** A checkpoint of a log of the ledger that the caller kept: a signed note. */
  readonly checkpoint?: string;
  /** The answer of the service that connects it with the checkpoint of the bundle: JSON. */
  readonly consistency?: string;
  readonly onProgress?: Progress;
}

/**
 * Checks an evidence bundle. Faults become findings.
 * @throws TypeError for a malformed keyFingerprint, checkpoint or consistency; errors that `read` of a source rejects with
 * @example
 * ```ts
 * import { openAsBlob } from 'node:fs';
 * import { blobSource } from '@decision-ledger/verifier/archive/byte-source';
 * import { verifyBundle } from '@decision-ledger/verifier/verify';
 *
 * const keyFingerprint = process.env.LEDGER_KEY_FINGERPRINT ?? '';
 * const bundle = blobSource(await openAsBlob('evidence.zip'));
 * const { verdicts } = await verifyBundle(bundle, { keyFingerprint });
 * const isProven = verdicts.integrity.verdict === 'pass' && verdicts.completeness.verdict === 'pass';
 * ```
 */
export async function verifyBundle(
  source: ByteSource,
  options: VerifyOptions = {},
): Promise<Report> {
  const pinned = pinnedOf(options);
  const { checkpoint, consistency } = options;
  const kept = checkpoint === undefined ? null : readKept(checkpoint, consistency);
  const findings = new Findings();
  const progress = options.onProgress ?? (() => undefined);
  const earlier =
    options.previous && (await inspectEarlier(options.previous, await filterOf(source), findings));
  const watched = earlier?.manifest.activity?.last?.seq ?? null;
  const otherFilter = earlier?.manifest.selection?.filter ?? null;
  const bundle = await inspect(source, findings, { progress, watched, kept, otherFilter });
  if (bundle === null) {
    checkNothing(findings, pinned !== null);
  } else {
    checkAuthenticity(bundle, pinned, findings);
    if (earlier != null) checkPrevious(earlier, bundle, findings);
    checkLimits(bundle, findings);
  }
  return reportOf(findings, bundle, { isPinned: pinned !== null, hasPrevious: earlier != null });
}

function pinnedOf({ keyFingerprint }: VerifyOptions): string | null {
  if (keyFingerprint === undefined) return null;
  const pinned = normalFingerprint(keyFingerprint);
  if (pinned === null) {
    throw new TypeError('keyFingerprint must be a SHA-256: 64 hexadecimal digits');
  }
  return pinned;
}

/** The filter of a bundle, whatever else is wrong with it; null if it has none. */
async function filterOf(source: ByteSource): Promise<SelectionFilter | null> {
  const guarded = new GuardedSource(source);
  const read = await openArchive(guarded, new Findings())
    .then((archive) => readManifest(archive, new Findings()))
    .catch(() => null);
  guarded.rethrow();
  return read?.manifest.selection?.filter ?? null;
}

/** An earlier bundle without integrity or completeness becomes a finding and is not used. */
async function inspectEarlier(
  source: ByteSource,
  otherFilter: SelectionFilter | null,
  findings: Findings,
): Promise<Inspection | null> {
  const own = new Findings();
  const earlier = await inspect(source, own, { ...EARLIER, otherFilter });
  const [broken] = hasSignedFiles(own, earlier) ? [] : own.of('integrity').findings;
  const gaps = (['completeness', 'selection'] as const).flatMap((name) => {
    const { outcome, findings: found } = own.of(name);
    return outcome === 'fail' ? found : [];
  });
  const first = broken ?? gaps[0];
  if (first === undefined) return earlier;
  const lack = broken === undefined ? 'is not complete' : 'fails integrity';
  const message = `The earlier bundle ${lack}: ${first.message}`;
  findings.fail('completeness', { code: 'previous_invalid', message });
  return null;
}

const EARLIER = { progress: () => undefined, watched: null, kept: null };

async function inspect(
  source: ByteSource,
  findings: Findings,
  given: Omit<InspectOptions, 'findings'>,
): Promise<Inspection | null> {
  const guarded = new GuardedSource(source);
  const inspection = await inspectBundle(guarded, { findings, ...given }).catch(
    (error: unknown) => {
      unreadable(error, findings);
      return null;
    },
  );
  guarded.rethrow();
  return inspection;
}

function unreadable(error: unknown, findings: Findings): void {
  const code = error instanceof ArchiveError && isCode(error.code) ? error.code : null;
  const message =
    code === null
      ? `The bundle cannot be checked completely: ${reason(error)}.`
      : reason(error).concat('.');
  findings.fail('integrity', { code: code ?? 'archive_unreadable', message });
}

function isCode(code: string): code is FindingCode {
  return Object.hasOwn(FINDINGS, code);
}

/** Without a manifest no verdict passes. */
function checkNothing(findings: Findings, isPinned: boolean): void {
  const message = 'There is no usable manifest.';
  findings.doubt('completeness', { code: 'manifest_missing', message });
  findings.doubt('time', { code: 'time_unknown', message });
  const finding = { code: 'manifest_missing', message } as const;
  if (isPinned) findings.fail('authenticity', finding);
  else findings.doubt('authenticity', finding);
}

interface Given {
  readonly isPinned: boolean;
  readonly hasPrevious: boolean;
}

function reportOf(
  findings: Findings,
  bundle: Inspection | null,
  { isPinned, hasPrevious }: Given,
): Report {
  const verdict = (name: VerdictName): Verdict => {
    const { findings: found, omitted } = findings.of(name);
    const outcome = outcomeOf(name, findings, bundle);
    const basis = basisOf(name, findings, bundle, isPinned);
    const sentence = sentenceOf(name, findings, bundle, hasPrevious);
    return { verdict: outcome, basis, findings: found, omitted, sentence };
  };
  return {
    format: 'decision-ledger/verification/v1',
    bundle: bundle && summaryOf(bundle),
    verdicts: {
      integrity: verdict('integrity'),
      completeness: verdict('completeness'),
      ...(bundle?.manifest.selection != null && { selection: verdict('selection') }),
      authenticity: verdict('authenticity'),
      time: verdict('time'),
    },
  };
}

function summaryOf({ manifest, signer }: Inspection): BundleSummary {
  return {
    export_id: manifest.export_id,
    export_type: manifest.export_type,
    organisation: manifest.organisation,
    ledger: manifest.ledger,
    mode: manifest.mode,
    created_at: manifest.created_at,
    range: { start: manifest.range.start, end: manifest.range.end },
    decisions: manifest.decisions?.count ?? null,
    ...(manifest.selection !== null && { selection: statedIn(manifest.selection) }),
    key_fingerprint: signer.key?.fingerprint ?? null,
  };
}

function statedIn({ filter, in_range, withheld, erased }: Selection): Omit<Selection, 'salt'> {
  return { filter, in_range, withheld, erased };
}
