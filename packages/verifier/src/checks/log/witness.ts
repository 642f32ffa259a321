import { type Checkpoint, openCheckpoint } from '@decision-ledger/proof/tlog/checkpoint';
import { checkConsistency } from '@decision-ledger/proof/tlog/proofs';
import { parseVerifierKey } from '@decision-ledger/proof/tlog/verifier-key';
import { reason } from '../../archive/open.js';
import type { FindingCode } from '../../report/codes.js';
import { verifyEd25519 } from './ed25519.js';
import type { Kept } from './kept.js';
import type { Leaves } from './leaves.js';

/** A log of a bundle, compared with what the auditor kept. */
export interface OwnLog {
  /** Verifier key, from the manifest. */
  readonly key: string;
  /** The checkpoint of the bundle. */
  readonly checkpoint: Checkpoint;
  /** The roots that the entries of the bundle make. */
  readonly roots: Pick<Leaves, 'rootAt'>;
  /** The kept checkpoint must cover this many records to fix the whole run. */
  readonly due: number;
}

/** `covered`: the kept checkpoint fixes the run. Otherwise why it does not. */
export type Witness =
  | 'covered'
  | { readonly outcome: 'fail' | 'unproven'; readonly code: FindingCode; readonly message: string };

/** Compares a kept checkpoint with the log of a bundle that it is of. */
export async function compareKept(
  { note, checkpoint: kept, consistency }: Kept,
  log: OwnLog,
  path: string,
): Promise<Witness> {
  try {
    await openCheckpoint(note, parseVerifierKey(log.key), verifyEd25519);
  } catch (error) {
    return contradiction(`It is not signed by the log key of the bundle: ${reason(error)}`);
  }
  const { size } = log.checkpoint;
  const known = kept.size === size ? log.checkpoint.root : log.roots.rootAt(kept.size);
  if (known !== null) {
    if (!isSame(known, kept.root)) {
      return contradiction(`The first ${kept.size} records of the bundle make another root.`);
    }
  } else if (consistency === null) {
    const [first, second] = [Math.min(kept.size, size), Math.max(kept.size, size)];
    return uncovered(
      `The kept checkpoint covers ${kept.size} records and that of the bundle ${size}: give the answer of ${path}?first=${first}&second=${second} with --consistency.`,
    );
  } else {
    const problem = inconsistency(kept, log.checkpoint, consistency);
    if (problem !== null) return contradiction(problem);
  }
  if (kept.size >= log.due) return 'covered';
  return uncovered(
    `The kept checkpoint covers ${kept.size} records; the run needs ${log.due}. It fixes only what was recorded before it.`,
  );
}

function inconsistency(
  kept: Checkpoint,
  own: Checkpoint,
  { first, second, proof }: NonNullable<Kept['consistency']>,
): string | null {
  const [earlier, later] = kept.size < own.size ? [kept, own] : [own, kept];
  if (first !== earlier.size || second !== later.size) {
    return `The consistency proof is from ${first} to ${second} records, not from ${earlier.size} to ${later.size}.`;
  }
  try {
    checkConsistency({ first, second, firstRoot: earlier.root, secondRoot: later.root, proof });
    return null;
  } catch (error) {
    return `The two checkpoints are not of one history: ${reason(error)}`;
  }
}

function contradiction(message: string): Witness {
  return { outcome: 'fail', code: 'checkpoint_contradicts', message };
}

function uncovered(message: string): Witness {
  return { outcome: 'unproven', code: 'checkpoint_uncovered', message };
}

export function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}
