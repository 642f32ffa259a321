import { nodeHash } from '../hash.js';
import { TlogError } from './error.js';

const HASH_BYTES = 32;

/** @throws TlogError `range_invalid` unless 0 ≤ begin ≤ end ≤ MAX_SIZE, in whole numbers */
export function requireSpan(begin: number, end: number): void {
  if (Number.isSafeInteger(begin) && Number.isSafeInteger(end) && begin >= 0 && begin <= end) {
    return;
  }
  throw new TlogError('range_invalid', `No tree has the leaves from ${begin} to ${end}.`);
}

/** @throws TlogError `hash_invalid` unless `hash` has 32 bytes */
export function requireHash(hash: Uint8Array): void {
  if (hash.length === HASH_BYTES) return;
  throw new TlogError('hash_invalid', `A hash has 32 bytes, not ${hash.length}.`);
}

/** The root over one or more subtrees that follow each other, from left to right. */
export function foldRight(hashes: readonly Uint8Array[]): Uint8Array {
  return hashes.reduceRight((root, hash) => nodeHash(hash, root));
}

/** Whether two hashes are the same bytes. */
export function isSameHash(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}
