import { CompactRange } from '@decision-ledger/proof/tlog/tree';

/** Builds the tree of a log from the entries of its chain, and keeps its roots at chosen sizes. */
export class Leaves {
  readonly #tree: CompactRange;
  readonly #sizes: ReadonlySet<number>;
  readonly #roots = new Map<number, Uint8Array>();

  /**
   * @param before the tree before the first leaf
   * @param sizes in leaves
   */
  constructor(before: CompactRange, sizes: readonly number[]) {
    this.#tree = before;
    this.#sizes = new Set(sizes);
    this.#keep();
  }

  /** Leaves in the tree. */
  get size(): number {
    return this.#tree.end;
  }

  /** @param hash of an entry, in hexadecimal */
  append(hash: string): void {
    this.#tree.append(bytesOf(hash));
    this.#keep();
  }

  /** The root at one of the chosen sizes; null if the leaves do not reach it. */
  rootAt(size: number): Uint8Array | null {
    return this.#roots.get(size) ?? null;
  }

  /**
   * Appends all later leaves at once, given by the hashes of their compact range.
   * @returns the root
   * @throws TlogError
   */
  finish(size: number, right: readonly Uint8Array[]): Uint8Array {
    this.#tree.merge(CompactRange.of(this.#tree.end, size, right));
    return this.#tree.root();
  }

  #keep(): void {
    if (this.#sizes.has(this.size)) this.#roots.set(this.size, this.#tree.root());
  }
}

function bytesOf(hash: string): Uint8Array {
  return Uint8Array.from({ length: hash.length / 2 }, (_, at) =>
    Number.parseInt(hash.slice(at * 2, at * 2 + 2), 16),
  );
}
