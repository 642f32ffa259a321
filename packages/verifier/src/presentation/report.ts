import type { DecisionEntry } from '@decision-ledger/proof/entry';
import type { JsonValue } from '@decision-ledger/proof/gate';
import type { PresentedField } from '@decision-ledger/proof/presentation/format';
import type { Outcome } from '../report/report.js';

/** Every kind of finding about a presentation, with its meaning. The documentation has the same table. */
export const PRESENTATION_FINDINGS = {
  file_shape: 'The file is not a presentation, is too large or too deep, or names a member twice.',
  entry_shape: 'The entry is not one of a decision.',
  entry_position: 'The index is not the position that the entry states.',
  value_differs: 'A disclosed value is not the one that the decision was recorded with.',
  value_unknown: 'A field is disclosed that the decision does not have.',
  log_other: 'A log is not one of the ledger and chain of the entry.',
  checkpoint_invalid: 'A checkpoint is malformed, or not signed with the key in the presentation.',
  path_invalid: 'A path does not lead from the entry to the root of the checkpoint.',
  erasure_shape: 'The record of an erasure does not have its form, or is not about the decision.',
  erasure_differs: 'The data of an erasure are not those that were recorded.',
  erasure_contradicted: 'A field is said to be erased, but it is disclosed, or was never recorded.',
  key_other: 'A log is signed with another key than the given one.',
  key_unpinned: 'No key was given to compare that of a log with.',
  time_unattested: 'Only the clock of the ledger says when the decision was recorded.',
} as const;

export type PresentationCode = keyof typeof PRESENTATION_FINDINGS;

export interface PresentationFinding {
  readonly code: PresentationCode;
  readonly message: string;
}

export const PRESENTATION_VERDICTS = ['integrity', 'authenticity', 'time'] as const;
export type PresentationVerdictName = (typeof PRESENTATION_VERDICTS)[number];

/** What a verdict rests on: the presentation alone, or a key that was obtained independently of it. */
export type Basis = 'self' | 'key';

export interface PresentationVerdict {
  readonly verdict: Outcome;
  readonly basis: Basis;
  readonly findings: readonly PresentationFinding[];
  /** The meaning in plain English. */
  readonly sentence: string;
}

/** `withheld`: recorded, but not part of the presentation. `absent`: never recorded. */
export type FieldState = 'disclosed' | 'erased' | 'withheld' | 'absent';

export interface PresentedDecision extends DecisionEntry {
  readonly hash: string;
}

export interface PresentationReport {
  readonly format: 'decision-ledger/presentation-report/v1';
  /** Null without a valid entry. */
  readonly decision: PresentedDecision | null;
  /** Null without a valid entry. */
  readonly fields: { readonly [field in PresentedField]: FieldState } | null;
  /** The disclosed values; only those that the entry commits to. */
  readonly values: { readonly [field in PresentedField]?: JsonValue };
  /** The tree that covers the decision; null without a valid checkpoint. */
  readonly log: { readonly origin: string; readonly size: number; readonly root: string } | null;
  readonly verdicts: { readonly [name in PresentationVerdictName]: PresentationVerdict };
}
