import { CompactRange } from '@decision-ledger/proof/tlog/tree';

/** Builds the tree of a log from the entries of its chain, and keeps its roots at chosen sizes. */
export class Leaves {
  readonly #tree: CompactRange;
  readonly #sizes: Set<number>;
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

  /** Keeps the root at another size, too, which is not below the present one. */
  watch(size: number): void {
    this.#sizes.add(size);
    this.#keep();
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

/** Written out, because it runs once for each entry. */
export function bytesOf(hash: string): Uint8Array {
  const bytes = new Uint8Array(hash.length / 2);
  for (let at = 0; at < bytes.length; at += 1) {
    bytes[at] = digitAt(hash, at * 2) * 16 + digitAt(hash, at * 2 + 1);
  }
  return bytes;
}

/** The value of a lower-case hexadecimal digit. */
function digitAt(hash: string, at: number): number {
  const code = hash.charCodeAt(at);
  return code < LETTERS ? code - ZERO : code - LETTERS + 10;
}

const ZERO = '0'.charCodeAt(0);
const LETTERS = 'a'.charCodeAt(0);
