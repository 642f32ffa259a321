import { nodeHash, sha256Bytes } from '../hash.js';
import { TlogError } from './error.js';
import { foldRight, requireHash, requireSpan } from './hashes.js';

/*
 * The Merkle tree of RFC 9162 section 2.1, over leaf hashes. Sizes reach 2^53 - 1, so positions are
 * computed by division instead of with bits.
 */

/** Bytes of a hash. */
export const HASH_BYTES = 32;
/** The largest number of leaves. */
export const MAX_SIZE = Number.MAX_SAFE_INTEGER;

/**
 * The root of a tree without leaves.
 *
 * @returns 32 bytes: SHA-256 of nothing
 * @example
 * ```ts
 * import { emptyRoot } from '@decision-ledger/proof/tlog/tree';
 * import { encodeBase64 } from '@decision-ledger/proof/tlog/base64';
 *
 * encodeBase64(emptyRoot()); // => '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='
 * ```
 */
export function emptyRoot(): Uint8Array {
  return sha256Bytes(new Uint8Array());
}

/** The root of a complete subtree, over the leaves [index * 2^level, (index + 1) * 2^level). */
export interface TreeNode {
  readonly level: number;
  readonly index: number;
}

/** A node with its hash of 32 bytes. */
export interface HashedNode extends TreeNode {
  readonly hash: Uint8Array;
}

/** The leaves [begin, end) of a tree. */
export interface Span {
  readonly begin: number;
  readonly end: number;
}

/**
 * The fewest complete subtrees that make up the leaves [begin, end), from left to right; at most 104.
 *
 * @throws TlogError `range_invalid`
 * @example
 * ```ts
 * import { rangeNodes } from '@decision-ledger/proof/tlog/tree';
 *
 * rangeNodes(1, 4); // => [{ level: 0, index: 1 }, { level: 1, index: 1 }]
 * ```
 */
export function rangeNodes(begin: number, end: number): TreeNode[] {
  requireSpan(begin, end);
  const nodes: TreeNode[] = [];
  let at = begin;
  while (at < end) {
    let level = 0;
    let width = 1;
    while (at % (width * 2) === 0 && width * 2 <= end - at) {
      width *= 2;
      level += 1;
    }
    nodes.push({ level, index: at / width });
    at += width;
  }
  return nodes;
}

/**
 * The hashes of `rangeNodes(begin, end)`: all that is needed of these leaves to go on. It grows at its end
 * by leaves and by the range that follows it.
 *
 * @example
 * ```ts
 * import { leafHash } from '@decision-ledger/proof/hash';
 * import { CompactRange } from '@decision-ledger/proof/tlog/tree';
 *
 * const range = CompactRange.empty(0);
 * for (const entry of ['a', 'b', 'c']) range.append(Buffer.from(leafHash(entry), 'hex'));
 * range.end; // => 3
 * range.hashes().length; // => 2
 * Buffer.from(range.root()).toString('hex').slice(0, 8); // => '36642e73'
 * ```
 */
export class CompactRange {
  readonly begin: number;
  #end: number;
  readonly #nodes: HashedNode[] = [];

  private constructor(begin: number) {
    this.begin = begin;
    this.#end = begin;
  }

  /** The range of no leaves before the leaf `begin`. */
  static empty(begin: number): CompactRange {
    requireSpan(begin, begin);
    return new CompactRange(begin);
  }

  /**
   * The range of the leaves [begin, end).
   *
   * @param hashes of `rangeNodes(begin, end)`, 32 bytes each
   * @throws TlogError `range_invalid`, `proof_length`, `hash_invalid`
   */
  static of(begin: number, end: number, hashes: readonly Uint8Array[]): CompactRange {
    const nodes = rangeNodes(begin, end);
    if (nodes.length !== hashes.length) {
      const message = `The leaves from ${begin} to ${end} have ${nodes.length} hashes, not ${hashes.length}.`;
      throw new TlogError('proof_length', message);
    }
    const range = new CompactRange(begin);
    nodes.forEach((node, at) => {
      const hash = hashes[at] ?? new Uint8Array();
      requireHash(hash);
      range.#nodes.push({ ...node, hash });
    });
    range.#end = end;
    return range;
  }

  /** The position after the last leaf. */
  get end(): number {
    return this.#end;
  }

  /** The hashes of `rangeNodes(begin, end)`, 32 bytes each. */
  hashes(): Uint8Array[] {
    return this.#nodes.map(({ hash }) => hash);
  }

  /**
   * Appends a leaf.
   *
   * @param leaf leaf hash: 32 bytes
   * @param onNode called with each subtree that the leaf completes, from the lowest to the highest
   * @throws TlogError `hash_invalid`, `range_invalid`
   */
  append(leaf: Uint8Array, onNode?: (node: HashedNode) => void): void {
    requireHash(leaf);
    requireSpan(this.begin, this.#end + 1);
    this.#push({ level: 0, index: this.#end, hash: leaf }, onNode);
    this.#end += 1;
  }

  /**
   * Appends the range that follows this one.
   *
   * @throws TlogError `range_invalid` if it begins elsewhere
   */
  merge(next: CompactRange): void {
    if (next.begin !== this.#end) {
      const message = `The range from ${next.begin} does not follow that until ${this.#end}.`;
      throw new TlogError('range_invalid', message);
    }
    for (const node of next.#nodes) this.#push(node);
    this.#end = next.#end;
  }

  /**
   * The hash of these leaves as one tree (MTH of RFC 9162 section 2.1.1). For the leaves of a tree from
   * its first one, it is the root of the tree.
   *
   * @returns 32 bytes
   */
  root(): Uint8Array {
    return this.#nodes.length === 0 ? emptyRoot() : foldRight(this.hashes());
  }

  #push(added: HashedNode, onNode?: (node: HashedNode) => void): void {
    let node = added;
    for (;;) {
      const last = this.#nodes.at(-1);
      const isPair = last !== undefined && last.level === node.level && last.index % 2 === 0;
      if (!isPair) break;
      this.#nodes.pop();
      const hash = nodeHash(last.hash, node.hash);
      node = { level: node.level + 1, index: last.index / 2, hash };
      onNode?.(node);
    }
    this.#nodes.push(node);
  }
}
