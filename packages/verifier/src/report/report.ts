import type { Selection } from '@decision-ledger/proof/bundle/selection';
import type { FindingCode } from './codes.js';

/** `selection` is a verdict of bundles alone that show what a filter chose. */
export const VERDICTS = ['integrity', 'completeness', 'selection', 'authenticity', 'time'] as const;
export type VerdictName = (typeof VERDICTS)[number];

/** `fail`: contradicted. `unproven`: neither proven nor contradicted. */
export type Outcome = 'pass' | 'fail' | 'unproven';

/**
 * What a verdict rests on. `self`: the bundle alone. `key`: the given fingerprint of the signing key.
 * `witnessed`: a checkpoint that the auditor kept. `timestamped`: a clock outside the organisation.
 */
export type Basis = 'self' | 'key' | 'witnessed' | 'timestamped';

export interface Finding {
  readonly code: FindingCode;
  /** Name of the file in the archive. */
  readonly file?: string;
  /** Seq in the chain that the file belongs to. */
  readonly seq?: number;
  /** Id of the record. */
  readonly id?: string;
  readonly message: string;
}

export interface Verdict {
  readonly verdict: Outcome;
  readonly basis: Basis;
  /** At most 1,000. */
  readonly findings: readonly Finding[];
  /** Number of further findings. */
  readonly omitted: number;
  /** The meaning in plain English. */
  readonly sentence: string;
}

/** The bundle as described in its manifest. */
export interface BundleSummary {
  readonly export_id: string;
  readonly export_type: string;
  readonly organisation: string;
  readonly ledger: string;
  readonly mode: 'live' | 'test';
  readonly created_at: string;
  readonly range: { readonly start: string; readonly end: string };
  readonly decisions: number | null;
  /** What a filter chose; absent if the bundle shows everything of its range. */
  readonly selection?: Omit<Selection, 'salt'>;
  /** SHA-256 of the SubjectPublicKeyInfo of the key in the bundle. */
  readonly key_fingerprint: string | null;
}

export interface Report {
  readonly format: 'decision-ledger/verification/v1';
  /** Null without a valid manifest. */
  readonly bundle: BundleSummary | null;
  readonly verdicts: { readonly [name in Exclude<VerdictName, 'selection'>]: Verdict } & {
    readonly selection?: Verdict;
  };
}

/** The verdicts of a report, in order. */
export function verdictsIn({
  verdicts,
}: Pick<Report, 'verdicts'>): (readonly [VerdictName, Verdict])[] {
  return VERDICTS.flatMap((name) => {
    const verdict = verdicts[name];
    return verdict === undefined ? [] : [[name, verdict] as const];
  });
}
