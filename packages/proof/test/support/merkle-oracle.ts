import { hash } from 'node:crypto';

/*
 * The definitions of RFC 9162 section 2.1 as they stand there: recursive, over a list of leaf hashes. The
 * code under test is iterative and knows complete subtrees only.
 */

const sha256 = (...parts: readonly Uint8Array[]) => hash('sha256', Buffer.concat(parts), 'buffer');

/** A leaf hash for each index: distinct bytes, the same in every run. */
export function leavesOf(size: number): Buffer[] {
  return Array.from({ length: size }, (_, index) =>
    sha256(Uint8Array.of(0), Buffer.from(`leaf ${index}`)),
  );
}

export class MerkleOracle {
  readonly #leaves: readonly Buffer[];
  readonly #known = new Map<string, Buffer>();

  constructor(leaves: readonly Buffer[]) {
    this.#leaves = leaves;
  }

  /** MTH(D[begin:end]) */
  root(begin: number, end: number): Buffer {
    const name = `${begin} ${end}`;
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const made = this.#compute(begin, end);
    this.#known.set(name, made);
    return made;
  }

  #compute(begin: number, end: number): Buffer {
    const n = end - begin;
    if (n === 0) return sha256();
    if (n === 1) return this.#leaves[begin] ?? Buffer.alloc(0);
    const k = split(n);
    return sha256(Uint8Array.of(1), this.root(begin, begin + k), this.root(begin + k, end));
  }

  /** PATH(m, D[begin:end]), section 2.1.3.1 */
  path(m: number, begin: number, end: number): Buffer[] {
    const n = end - begin;
    if (n === 1) return [];
    const k = split(n);
    return m < k
      ? [...this.path(m, begin, begin + k), this.root(begin + k, end)]
      : [...this.path(m - k, begin + k, end), this.root(begin, begin + k)];
  }

  /** SUBPROOF(m, D[begin:end], b), section 2.1.4.1 */
  subproof(m: number, begin: number, end: number, b: boolean): Buffer[] {
    const n = end - begin;
    if (m === n) return b ? [] : [this.root(begin, end)];
    const k = split(n);
    return m <= k
      ? [...this.subproof(m, begin, begin + k, b), this.root(begin + k, end)]
      : [...this.subproof(m - k, begin + k, end, false), this.root(begin, begin + k)];
  }

  /** The fewest complete aligned subtrees of the leaves [begin, end), found by halving the whole tree. */
  cover(begin: number, end: number, at = 0, width = 2 ** 20): Buffer[] {
    if (begin >= end || at + width <= begin || at >= end) return [];
    if (begin <= at && at + width <= end) return [this.root(at, at + width)];
    const half = width / 2;
    return [...this.cover(begin, end, at, half), ...this.cover(begin, end, at + half, half)];
  }
}

function split(n: number): number {
  return 2 ** Math.floor(Math.log2(n - 1));
}
