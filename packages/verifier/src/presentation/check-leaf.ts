import { leafHash } from '@decision-ledger/proof/hash';
import type { PresentedLeaf, PresentedLog } from '@decision-ledger/proof/presentation/format';
import { decodeBase64 } from '@decision-ledger/proof/tlog/base64';
import { type Checkpoint, openCheckpoint } from '@decision-ledger/proof/tlog/checkpoint';
import { TlogError } from '@decision-ledger/proof/tlog/error';
import { type LogOrigin, readOrigin } from '@decision-ledger/proof/tlog/origin';
import { checkInclusion } from '@decision-ledger/proof/tlog/proofs';
import { parseVerifierKey } from '@decision-ledger/proof/tlog/verifier-key';
import { verifyEd25519 } from './ed25519.js';
import type { PresentationFinding } from './report.js';

/** Where a problem is reported. */
export type Fail = (code: PresentationFinding['code'], message: string) => void;

/** What the entry of a record says about its place. */
interface Place {
  readonly ledger: string;
  readonly seq: number;
}

/** @returns the tree that the log signed, under the key in the presentation; null if there is none */
export async function openLog(
  { verifier_key, checkpoint }: PresentedLog,
  chain: LogOrigin['chain'],
  ledger: string,
  fail: Fail,
): Promise<Checkpoint | null> {
  try {
    const opened = await openCheckpoint(checkpoint, parseVerifierKey(verifier_key), verifyEd25519);
    const origin = readOrigin(opened.origin);
    if (origin?.chain === chain && origin.ledger === ledger) return opened;
    fail('log_other', `${opened.origin} is not the log of the ${chain} of ${ledger}.`);
  } catch (error) {
    if (!(error instanceof TlogError)) throw error;
    fail('checkpoint_invalid', `The checkpoint of the ${chain} cannot be used: ${error.message}`);
  }
  return null;
}

/** Checks that an entry is at its place in a tree. */
export function checkLeaf(
  { entry, index, path }: PresentedLeaf,
  { seq }: Place,
  tree: Checkpoint | null,
  fail: Fail,
): void {
  if (index !== seq - 1) {
    fail('entry_position', `The entry has the number ${seq}, but the index ${index}.`);
  }
  if (tree === null) return;
  const { size, root } = tree;
  try {
    checkInclusion({ index, size, leaf: leafOf(entry), proof: path.map(decodeBase64), root });
  } catch (error) {
    if (!(error instanceof TlogError)) throw error;
    fail('path_invalid', `The path of number ${seq} in ${tree.origin}: ${error.message}`);
  }
}

function leafOf(entry: string): Uint8Array {
  const hex = leafHash(entry).match(/../g) ?? [];
  return Uint8Array.from(hex, (byte) => Number.parseInt(byte, 16));
}
