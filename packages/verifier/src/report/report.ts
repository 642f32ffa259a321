import type { FindingCode } from './codes.js';

export const VERDICTS = ['integrity', 'completeness', 'authenticity', 'time'] as const;
export type VerdictName = (typeof VERDICTS)[number];

/** `fail`: it is contradicted. `unproven`: the bundle holds nothing that would show it. */
export type Outcome = 'pass' | 'fail' | 'unproven';

export interface Finding {
  readonly code: FindingCode;
  /** Name of the file in the archive. */
  readonly file?: string;
  /** Place in the chain that the file is about. */
  readonly seq?: number;
  /** Id of the record. */
  readonly id?: string;
  readonly message: string;
}

export interface Verdict {
  readonly verdict: Outcome;
  /** The first 1,000. */
  readonly findings: readonly Finding[];
  /** How many there are beyond them. */
  readonly omitted: number;
  /** What it means, in plain English. */
  readonly sentence: string;
}

/** What the manifest says about the bundle. */
export interface BundleSummary {
  readonly export_id: string;
  readonly export_type: string;
  readonly organisation: string;
  readonly ledger: string;
  readonly mode: 'live' | 'test';
  readonly created_at: string;
  readonly range: { readonly start: string; readonly end: string };
  readonly decisions: number | null;
  /** SHA-256 of the signing key's SubjectPublicKeyInfo, as computed from the key in the bundle. */
  readonly key_fingerprint: string | null;
}

export interface Report {
  readonly format: 'decision-ledger/verification/v1';
  /** Null where there is no manifest that can be read. */
  readonly bundle: BundleSummary | null;
  readonly verdicts: { readonly [name in VerdictName]: Verdict };
}
