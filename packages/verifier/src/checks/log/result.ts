import type { Finding } from '../../report/report.js';

/** What the transparency logs of a bundle prove. */
export interface LogResult {
  /** Why the range is not proven to be complete; none if a kept checkpoint fixes it. */
  readonly doubts: readonly Finding[];
  /** Whether a checkpoint that the auditor kept fixes the run. */
  readonly isWitnessed: boolean;
  /** Decisions in the log. */
  readonly size: number;
  /** When the last entry of the run was recorded; null for an empty chain. */
  readonly until: string | null;
  /** When the checkpoint of the decisions was signed, by the clock of the ledger. */
  readonly signedAt: string | null;
}
