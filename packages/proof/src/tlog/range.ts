import type { JsonValue } from '../gate.js';
import { parseJson } from '../gate.js';
import { decodeBase64, encodeBase64 } from './base64.js';
import { TlogError } from './error.js';
import { isSameHash, requireHash, requireSpan } from './hashes.js';
import type { ReadNodes } from './proofs.js';
import { CompactRange, MAX_SIZE, rangeNodes } from './tree.js';

/**
 * What turns the leaves [lo, hi) into the root of a tree: `left` are the hashes of the compact range
 * [0, lo), `right` those of [hi, size), 32 bytes each. `hi` follows from the number of leaves.
 */
export interface RangeProof {
  readonly size: number;
  readonly lo: number;
  readonly left: readonly Uint8Array[];
  readonly right: readonly Uint8Array[];
}

/** Longest text of a range proof, in UTF-16 units: both compact ranges have at most 53 hashes. */
const MAX_TEXT = 8192;
const MEMBERS = ['left', 'lo', 'right', 'size'];

/**
 * Makes the proof that the leaves [lo, hi) belong to a tree.
 *
 * @throws TlogError `range_invalid`, `proof_length`, `hash_invalid`, and what `read` throws
 * @example
 * ```ts
 * import { proveRange, rangeProofText } from '@decision-ledger/proof/tlog/range';
 * import { tileNodes } from '@decision-ledger/proof/tlog/tiles';
 *
 * async function prove(tile: Uint8Array) {
 *   return rangeProofText(await proveRange(2, 5, 7, tileNodes(7, async () => tile)));
 * }
 * ```
 */
export async function proveRange(
  lo: number,
  hi: number,
  size: number,
  read: ReadNodes,
): Promise<RangeProof> {
  requireSpan(lo, hi);
  const before = rangeNodes(0, lo);
  const after = rangeNodes(hi, size);
  const hashes = await read([...before, ...after]);
  const left = CompactRange.of(0, lo, hashes.slice(0, before.length)).hashes();
  const right = CompactRange.of(hi, size, hashes.slice(before.length)).hashes();
  return { size, lo, left, right };
}

/**
 * Checks the leaves of a range while they are read, from `lo` on: append each, then compare the root.
 *
 * @example
 * ```ts
 * import { RangeCheck } from '@decision-ledger/proof/tlog/range';
 *
 * const leaf = new Uint8Array(32);
 * const check = new RangeCheck({ size: 1, lo: 0, left: [], right: [] });
 * check.append(leaf);
 * check.finish(leaf);
 * ```
 */
export class RangeCheck {
  readonly #proof: RangeProof;
  readonly #range: CompactRange;

  /** @throws TlogError `range_invalid`, `proof_length`, `hash_invalid` */
  constructor(proof: RangeProof) {
    requireSpan(proof.lo, proof.size);
    this.#proof = proof;
    this.#range = CompactRange.of(0, proof.lo, proof.left);
  }

  /** The position after the last leaf: `hi`, after the last one of the range. */
  get end(): number {
    return this.#range.end;
  }

  /**
   * @param leaf hash of the next leaf: 32 bytes
   * @throws TlogError `hash_invalid`, `range_invalid`
   */
  append(leaf: Uint8Array): void {
    requireSpan(this.#range.end + 1, this.#proof.size);
    this.#range.append(leaf);
  }

  /**
   * Checks that the leaves, and no other ones, stand at [lo, hi) of the tree with this root.
   *
   * @throws TlogError `proof_length`, `hash_invalid`, `root_mismatch`
   */
  finish(root: Uint8Array): void {
    const { size, right } = this.#proof;
    requireHash(root);
    this.#range.merge(CompactRange.of(this.#range.end, size, right));
    if (isSameHash(this.#range.root(), root)) return;
    throw new TlogError('root_mismatch', 'The leaves of the range do not lead to the root.');
  }
}

/**
 * A range proof as JSON: `{"left":[…],"lo":…,"right":[…],"size":…}` with hashes in base 64.
 *
 * @example
 * ```ts
 * import { rangeProofText } from '@decision-ledger/proof/tlog/range';
 *
 * rangeProofText({ size: 1, lo: 0, left: [], right: [] });
 * // => '{"left":[],"lo":0,"right":[],"size":1}'
 * ```
 */
export function rangeProofText({ size, lo, left, right }: RangeProof): string {
  return JSON.stringify({ left: left.map(encodeBase64), lo, right: right.map(encodeBase64), size });
}

/**
 * Reads the text of a range proof.
 *
 * @throws TlogError `text_oversized`, `text_invalid`, `range_invalid`, `hash_invalid`; GateError if the
 *   text is not JSON
 * @example
 * ```ts
 * import { parseRangeProof } from '@decision-ledger/proof/tlog/range';
 *
 * parseRangeProof('{"left":[],"lo":0,"right":[],"size":1}').size; // => 1
 * ```
 */
export function parseRangeProof(text: string): RangeProof {
  if (text.length > MAX_TEXT) {
    throw new TlogError('text_oversized', `A range proof has at most ${MAX_TEXT} characters.`);
  }
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TlogError('text_invalid', 'A range proof is a JSON object.');
  }
  const names = Object.keys(value).sort();
  if (names.join() !== MEMBERS.join()) {
    throw new TlogError('text_invalid', `A range proof has the members ${MEMBERS.join(', ')}.`);
  }
  const proof = {
    size: readCount(value.size, 'size'),
    lo: readCount(value.lo, 'lo'),
    left: readHashes(value.left, 'left'),
    right: readHashes(value.right, 'right'),
  };
  requireSpan(proof.lo, proof.size);
  return proof;
}

function readCount(value: JsonValue | undefined, name: string): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw new TlogError('text_invalid', `${name} is not a whole number from 0 to ${MAX_SIZE}.`);
}

function readHashes(value: JsonValue | undefined, name: string): Uint8Array[] {
  if (!Array.isArray(value)) throw new TlogError('text_invalid', `${name} is not an array.`);
  return value.map((item) => {
    if (typeof item !== 'string') {
      throw new TlogError('text_invalid', `${name} is not an array of hashes in base 64.`);
    }
    const hash = decodeBase64(item);
    requireHash(hash);
    return hash;
  });
}
