import { readJson, Shape } from '@decision-ledger/proof/bundle/shape';
import { decodeBase64 } from '@decision-ledger/proof/tlog/base64';
import { type Checkpoint, readCheckpoint } from '@decision-ledger/proof/tlog/checkpoint';
import { reason } from '../../archive/open.js';
import type { Finding } from '../../report/report.js';

/** A checkpoint that the auditor kept, and what connects it with that of the bundle. */
export interface Kept {
  /** Signed note. */
  readonly note: string;
  readonly checkpoint: Checkpoint;
  readonly consistency: ConsistencyProof | null;
}

interface ConsistencyProof {
  readonly first: number;
  readonly second: number;
  readonly proof: readonly Uint8Array[];
}

/**
 * Reads what the auditor gave.
 * @param note signed checkpoint
 * @param consistency as `GET /log/{chain}/consistency` answers it, with or without its envelope
 * @throws TypeError
 */
export function readKept(note: string, consistency: string | undefined): Kept {
  try {
    const proof = consistency === undefined ? null : readConsistency(consistency);
    return { note, checkpoint: readCheckpoint(note), consistency: proof };
  } catch (error) {
    const message = `the checkpoint or the consistency proof cannot be read: ${reason(error)}`;
    throw new TypeError(message, { cause: error });
  }
}

function readConsistency(text: string): ConsistencyProof {
  const answer = new Shape(readJson(text));
  const shape = answer.has('data') ? answer.object('data') : answer;
  return {
    first: shape.count('first'),
    second: shape.count('second'),
    proof: shape.texts('proof').map(decodeBase64),
  };
}

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
