import { memorySource } from '@decision-ledger/verifier/archive/byte-source';
import { type Report, type VerdictName, verdictsIn } from '@decision-ledger/verifier/report/report';
import { type VerifyOptions, verifyBundle } from '@decision-ledger/verifier/verify';
import { testKey } from './keys.js';

type Options = Omit<VerifyOptions, 'previous'> & { readonly previous?: Buffer };

/** Verifies a bundle in memory, by default with the first test key pinned. */
export function check(zip: Uint8Array, options: Options = {}): Promise<Report> {
  const { previous, ...others } = options;
  return verifyBundle(memorySource(zip), {
    keyFingerprint: testKey('first').fingerprint,
    ...others,
    ...(previous !== undefined && { previous: memorySource(previous) }),
  });
}

/** What every bundle leaves unproven that proves nothing beyond itself. */
const ALONE = ['edges_unproven', 'log_unwitnessed', 'data_withheld', 'time_unattested'];

/**
 * The outcomes, in the order integrity, completeness, selection if there is one, authenticity, time. `consistent` is unproven
 * for no other reason than that a bundle proves nothing beyond itself.
 */
export function outcomes(report: Report): string {
  return verdictsIn(report)
    .map(([name, { verdict, findings }]) => {
      const isAlone = findings.length > 0 && codes(report, name).length === 0;
      return isAlone ? 'consistent' : verdict;
    })
    .join(' ');
}

/** The codes of a verdict, without those of every bundle. */
export function codes(report: Report, name: VerdictName): string[] {
  return (report.verdicts[name]?.findings ?? [])
    .map(({ code }) => code)
    .filter((code) => !ALONE.includes(code));
}

/** The distinct codes of all verdicts, without those of every bundle. */
export function allCodes(report: Report): string[] {
  return [...new Set(verdictsIn(report).flatMap(([name]) => codes(report, name)))];
}
