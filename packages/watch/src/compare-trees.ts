import { isDeepStrictEqual } from 'node:util';
import type { Checkpoint } from '@decision-ledger/proof/tlog/checkpoint';
import { TlogError } from '@decision-ledger/proof/tlog/error';
import { type ReadTile, tileNodes } from '@decision-ledger/proof/tlog/tiles';
import { CompactRange, rangeNodes } from '@decision-ledger/proof/tlog/tree';

/**
 * Whether a tree goes on from an earlier one, by the tiles of the later one. The tiles have to make the root of the
 * later tree; what they make of the leaves of the earlier one is then beyond doubt, so `false` proves a fork.
 *
 * @throws TlogError if the tiles do not make the later tree; what `read` throws
 */
export async function goesOn(
  earlier: Checkpoint,
  later: Checkpoint,
  read: ReadTile,
): Promise<boolean> {
  const before = rangeNodes(0, earlier.size);
  const added = rangeNodes(earlier.size, later.size);
  const hashes = await tileNodes(later.size, read)([...before, ...added]);
  const range = CompactRange.of(0, earlier.size, hashes.slice(0, before.length));
  const root = range.root();
  range.merge(CompactRange.of(earlier.size, later.size, hashes.slice(before.length)));
  if (!isSame(range.root(), later.root)) {
    const message = `The tiles of ${later.origin} do not make its tree of ${later.size} leaves.`;
    throw new TlogError('root_mismatch', message);
  }
  return isSame(root, earlier.root);
}

/** Whether two trees are the same. */
export function isSameTree(one: Checkpoint, other: Checkpoint): boolean {
  return one.size === other.size && isSame(one.root, other.root);
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return isDeepStrictEqual(Buffer.from(one), Buffer.from(other));
}
