// Generated from the contract by scripts/client-types.js.

import type { Hash } from './shared.js';

export interface PresentationBody {
  /** Fields to disclose. The decision must have been recorded with each of them; of one that was erased, the record of the erasure is shown. Empty to show the entry alone. */
  readonly fields: readonly ('inputs' | 'outputs' | 'alternatives' | 'metadata')[];
}

export interface DecisionPresentation {
  readonly decision_id: string;
  readonly seq: number;
  readonly hash: Hash;
  /** `pending` until checkpoints cover the decision and the erasures; the answer is then 202. */
  readonly status: 'covered' | 'pending';
  /** The text of a .dlp.json file; null while pending. */
  readonly presentation: string | null;
}
