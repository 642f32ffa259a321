/*
 * A 32-bit hash for indexes. It narrows a search, and every hit is compared with the stored value.
 * No proof depends on it.
 */

const START = 0x811c9dc5;

/**
 * FNV-1a over UTF-16 code units.
 * @param seed the result of an earlier call, to continue it
 * @example
 * ```ts
 * import { fold } from '@decision-ledger/contract/fold';
 *
 * fold('ab') === fold('b', fold('a')); // => true
 * ```
 */
export function fold(text: string, seed: number = START): number {
  let hash = seed;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash;
}

/**
 * Like `fold`, for ASCII text from `start` to before `end`.
 * @example
 * ```ts
 * import { fold, foldBytes } from '@decision-ledger/contract/fold';
 *
 * foldBytes(new Uint8Array([0x61, 0x62]), 0, 2, fold('')) === fold('ab'); // => true
 * ```
 */
export function foldBytes(bytes: Uint8Array, start: number, end: number, seed: number): number {
  let hash = seed;
  for (let index = start; index < end; index += 1) {
    hash = Math.imul(hash ^ (bytes[index] ?? 0), 0x01000193);
  }
  return hash;
}

/**
 * The finaliser of MurmurHash3, because FNV mixes its high bits poorly for short texts.
 * @returns a signed 32-bit integer
 */
export function finish(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) | 0;
}
