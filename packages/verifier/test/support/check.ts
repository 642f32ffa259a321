import { memorySource } from '@decision-ledger/verifier/archive/byte-source';
import { type Report, VERDICTS, type VerdictName } from '@decision-ledger/verifier/report/report';
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

/** The four outcomes, in the order integrity, completeness, authenticity, time. */
export function outcomes(report: Report): string {
  return VERDICTS.map((name) => report.verdicts[name].verdict).join(' ');
}

export function codes(report: Report, name: VerdictName): string[] {
  return report.verdicts[name].findings.map(({ code }) => code);
}

/** The distinct codes of all verdicts. */
export function allCodes(report: Report): string[] {
  return [...new Set(VERDICTS.flatMap((name) => codes(report, name)))];
}
