import { nodeHash } from '../hash.js';
import { TlogError } from './error.js';
import { foldRight, isSameHash, requireHash, requireSpan } from './hashes.js';
import { emptyRoot, rangeNodes, type Span, type TreeNode } from './tree.js';

/** Reads the hashes of nodes, in the order of the nodes; for example from tiles (see tiles.ts). */
export type ReadNodes = (nodes: readonly TreeNode[]) => Promise<readonly Uint8Array[]>;

/**
 * Makes the proof that a leaf belongs to a tree (RFC 9162 section 2.1.3).
 *
 * @param index position of the leaf, from 0
 * @param size leaves of the tree
 * @returns at most 53 hashes of 32 bytes, from the leaf's sibling to the root's child
 * @throws TlogError `range_invalid`, and what `read` throws
 * @example
 * ```ts
 * import { checkInclusion, proveInclusion } from '@decision-ledger/proof/tlog/proofs';
 * import { tileNodes } from '@decision-ledger/proof/tlog/tiles';
 *
 * async function prove(tile: Uint8Array, root: Uint8Array) {
 *   const proof = await proveInclusion(0, 2, tileNodes(2, async () => tile));
 *   checkInclusion({ index: 0, size: 2, leaf: tile.subarray(0, 32), proof, root });
 * }
 * ```
 */
export function proveInclusion(index: number, size: number, read: ReadNodes) {
  return readSpans(inclusionSpans(index, size), read);
}

/** A leaf, and the proof that it belongs to a tree. Hashes have 32 bytes. */
export interface Inclusion {
  /** Position of the leaf, from 0. */
  readonly index: number;
  /** Leaves of the tree. */
  readonly size: number;
  readonly leaf: Uint8Array;
  readonly proof: readonly Uint8Array[];
  readonly root: Uint8Array;
}

/**
 * Checks that a leaf belongs to a tree (RFC 9162 section 2.1.3.2).
 *
 * @throws TlogError `range_invalid`, `hash_invalid`, `proof_length`, `root_mismatch`
 * @example
 * ```ts
 * import { checkInclusion } from '@decision-ledger/proof/tlog/proofs';
 *
 * const leaf = new Uint8Array(32);
 * checkInclusion({ index: 0, size: 1, leaf, proof: [], root: leaf });
 * ```
 */
export function checkInclusion({ index, size, leaf, proof, root }: Inclusion): void {
  const spans = inclusionSpans(index, size);
  requireProof(spans.length, proof);
  requireHash(leaf);
  let hash = leaf;
  spans.forEach(({ begin }, at) => {
    const other = proof[at] ?? hash;
    hash = begin > index ? nodeHash(hash, other) : nodeHash(other, hash);
  });
  requireRoot(hash, root);
}

/**
 * Makes the proof that a tree goes on from an earlier one (RFC 9162 section 2.1.4).
 *
 * @param first leaves of the earlier tree
 * @param second leaves of the later tree
 * @returns at most 54 hashes of 32 bytes; none if `first` is 0 or equals `second`
 * @throws TlogError `range_invalid`, and what `read` throws
 * @example
 * ```ts
 * import { proveConsistency } from '@decision-ledger/proof/tlog/proofs';
 * import { tileNodes } from '@decision-ledger/proof/tlog/tiles';
 *
 * async function prove(tile: Uint8Array) {
 *   return proveConsistency(3, 7, tileNodes(7, async () => tile));
 * }
 * ```
 */
export function proveConsistency(first: number, second: number, read: ReadNodes) {
  return readSpans(consistencySpans(first, second), read);
}

/** Two trees, and the proof that the second goes on from the first. Hashes have 32 bytes. */
export interface Consistency {
  readonly first: number;
  readonly second: number;
  readonly firstRoot: Uint8Array;
  readonly secondRoot: Uint8Array;
  readonly proof: readonly Uint8Array[];
}

/**
 * Checks that a tree goes on from an earlier one (RFC 9162 section 2.1.4.2). Every tree goes on from the
 * empty one.
 *
 * @throws TlogError `range_invalid`, `hash_invalid`, `proof_length`, `root_mismatch`
 * @example
 * ```ts
 * import { checkConsistency } from '@decision-ledger/proof/tlog/proofs';
 *
 * const root = new Uint8Array(32);
 * checkConsistency({ first: 1, second: 1, firstRoot: root, secondRoot: root, proof: [] });
 * ```
 */
export function checkConsistency(given: Consistency): void {
  const { first, second, firstRoot, secondRoot, proof } = given;
  const spans = consistencySpans(first, second);
  requireProof(spans.length, proof);
  requireHash(secondRoot);
  if (first === 0) {
    requireRoot(emptyRoot(), firstRoot);
    if (second === 0) requireRoot(emptyRoot(), secondRoot);
    return;
  }
  requireHash(firstRoot);
  // The right-most complete subtree of the first tree: the first hash of the proof, or the whole tree.
  const isGiven = spans[0]?.end === first;
  const start = isGiven ? (proof[0] ?? firstRoot) : firstRoot;
  let earlier = start;
  let later = start;
  for (let at = isGiven ? 1 : 0; at < spans.length; at += 1) {
    const hash = proof[at] ?? start;
    const isAfterFirst = (spans[at]?.begin ?? 0) >= first;
    if (!isAfterFirst) earlier = nodeHash(hash, earlier);
    later = isAfterFirst ? nodeHash(later, hash) : nodeHash(hash, later);
  }
  requireRoot(earlier, firstRoot);
  requireRoot(later, secondRoot);
}

/** The subtrees of an inclusion proof, in its order. */
function inclusionSpans(index: number, size: number): Span[] {
  requireSpan(index, size);
  requireSpan(index + 1, size);
  const spans: Span[] = [];
  let begin = 0;
  let end = size;
  while (end - begin > 1) {
    const middle = begin + halfOf(end - begin);
    if (index < middle) {
      spans.push({ begin: middle, end });
      end = middle;
    } else {
      spans.push({ begin, end: middle });
      begin = middle;
    }
  }
  return spans.reverse();
}

/** The subtrees of a consistency proof, in its order. */
function consistencySpans(first: number, second: number): Span[] {
  requireSpan(first, second);
  const spans: Span[] = [];
  if (first === 0) return spans;
  let begin = 0;
  let end = second;
  while (end !== first) {
    const middle = begin + halfOf(end - begin);
    if (first <= middle) {
      spans.push({ begin: middle, end });
      end = middle;
    } else {
      spans.push({ begin, end: middle });
      begin = middle;
    }
  }
  if (begin !== 0) spans.push({ begin, end });
  return spans.reverse();
}

/** The largest power of two below a number from 2. */
function halfOf(leaves: number): number {
  let half = 1;
  while (half * 2 < leaves) half *= 2;
  return half;
}

async function readSpans(spans: readonly Span[], read: ReadNodes): Promise<Uint8Array[]> {
  const parts = spans.map(({ begin, end }) => rangeNodes(begin, end));
  const nodes = parts.flat();
  const hashes = await read(nodes);
  requireProof(nodes.length, hashes);
  let at = 0;
  return parts.map((part) => {
    at += part.length;
    return foldRight(hashes.slice(at - part.length, at));
  });
}

function requireProof(length: number, proof: readonly Uint8Array[]): void {
  if (proof.length !== length) {
    const message = `This proof has ${length} hashes, not ${proof.length}.`;
    throw new TlogError('proof_length', message);
  }
  for (const hash of proof) requireHash(hash);
}

function requireRoot(actual: Uint8Array, root: Uint8Array): void {
  if (isSameHash(actual, root)) return;
  throw new TlogError('root_mismatch', 'The hashes do not lead to the root of the tree.');
}
