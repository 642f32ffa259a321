/// <reference lib="es2024.string" />
import { createHash, hash } from 'node:crypto';

/** RFC 9162 section 2.1.1: leaves are hashed with prefix byte 0, inner nodes with byte 1. */
const LEAF_PREFIX = '\u0000';

// A reused buffer avoids an allocation per field and record.
const scratch = Buffer.alloc(32 * 1024);
const MAX_BYTES_PER_UNIT = 3;

const HASH_BYTES = 32;
/** Reused for every inner node: its prefix and the hashes of both children. */
const node = new Uint8Array(1 + 2 * HASH_BYTES).fill(1, 0, 1);

/**
 * The hash of a chain entry, which is also its Merkle leaf hash (RFC 9162 section 2.1.1).
 *
 * @param entry canonical JSON text of the entry
 * @returns 64 lower-case hexadecimal characters: SHA-256 of a zero byte and the UTF-8 bytes
 * @throws TypeError if the text contains a lone surrogate, which has no UTF-8 form
 * @example
 * ```ts
 * import { leafHash } from '@decision-ledger/proof/hash';
 *
 * leafHash('{}'); // => '28a3a18f6cd6406b086e9ffda1f9b8a13dbcf44b0f3f32cb9031a11fd053acf9'
 * ```
 */
export function leafHash(entry: string): string {
  refuseLoneSurrogates(entry);
  return hash('sha256', LEAF_PREFIX + entry, 'hex');
}

/**
 * @returns SHA-256 of the UTF-8 bytes of `text`, 64 lower-case hexadecimal characters
 * @throws TypeError if the text contains a lone surrogate
 * @example
 * ```ts
 * import { sha256Hex } from '@decision-ledger/proof/hash';
 *
 * sha256Hex('abc'); // => 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
 * ```
 */
export function sha256Hex(text: string): string {
  refuseLoneSurrogates(text);
  return hash('sha256', text, 'hex');
}

/**
 * @returns SHA-256 of the UTF-8 bytes of `text`, 43 base64url characters without padding
 * @throws TypeError if the text contains a lone surrogate
 * @example
 * ```ts
 * import { sha256Base64url } from '@decision-ledger/proof/hash';
 *
 * sha256Base64url('abc'); // => 'ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0'
 * ```
 */
export function sha256Base64url(text: string): string {
  refuseLoneSurrogates(text);
  return hash('sha256', text, 'base64url');
}

/**
 * @returns SHA-256 of the base64url form (without padding) of the UTF-8 bytes of `text`, as 43 base64url
 *   characters
 * @throws TypeError if the text contains a lone surrogate
 * @example
 * ```ts
 * import { sha256OfBase64url } from '@decision-ledger/proof/hash';
 *
 * sha256OfBase64url('abc'); // => 'NdlWlNPxYCFdspPHiZ2qWQeDeDj7S4EZ7XE-MkRsEmY'
 * ```
 */
export function sha256OfBase64url(text: string): string {
  refuseLoneSurrogates(text);
  return hash('sha256', base64url(text), 'base64url');
}

/**
 * Like `sha256OfBase64url`, for UTF-8 bytes from `start` to before `end`.
 *
 * @example
 * ```ts
 * import { sha256OfBase64urlBytes } from '@decision-ledger/proof/hash';
 *
 * sha256OfBase64urlBytes(Buffer.from('abc'), 0, 3); // => 'NdlWlNPxYCFdspPHiZ2qWQeDeDj7S4EZ7XE-MkRsEmY'
 * ```
 */
export function sha256OfBase64urlBytes(bytes: Buffer, start: number, end: number): string {
  return hash('sha256', bytes.toString('base64url', start, end), 'base64url');
}

/**
 * Like `leafHash`, for UTF-8 bytes from `start` to before `end`. The byte before them is overwritten, so that they need
 * not be copied.
 *
 * @example
 * ```ts
 * import { leafHashOfBytes } from '@decision-ledger/proof/hash';
 *
 * leafHashOfBytes(Buffer.from(' {}'), 1, 3);
 * // => '28a3a18f6cd6406b086e9ffda1f9b8a13dbcf44b0f3f32cb9031a11fd053acf9'
 * ```
 */
export function leafHashOfBytes(bytes: Buffer, start: number, end: number): string {
  bytes[start - 1] = 0;
  return hash('sha256', bytes.subarray(start - 1, end), 'hex');
}

/**
 * The hash of an inner node of a Merkle tree (RFC 9162 section 2.1.1).
 *
 * @param left hash of the left child: 32 bytes
 * @param right hash of the right child: 32 bytes
 * @returns 32 bytes: SHA-256 of a byte 1 and both hashes
 * @example
 * ```ts
 * import { nodeHash } from '@decision-ledger/proof/hash';
 *
 * const leaf = new Uint8Array(32);
 * Buffer.from(nodeHash(leaf, leaf)).toString('hex').slice(0, 8); // => 'ae0798d0'
 * ```
 */
export function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  node.set(left, 1);
  node.set(right, 1 + HASH_BYTES);
  return hash('sha256', node, 'buffer');
}

/**
 * @returns SHA-256 of `bytes`: 32 bytes
 * @example
 * ```ts
 * import { sha256Bytes } from '@decision-ledger/proof/hash';
 *
 * sha256Bytes(Buffer.from('abc'))[0]; // => 186
 * ```
 */
export function sha256Bytes(bytes: Uint8Array): Uint8Array {
  return hash('sha256', bytes, 'buffer');
}

/** An incremental SHA-256. */
export interface Sha256 {
  update(bytes: Uint8Array): void;
  /** Finishes the hash. @returns 64 lower-case hexadecimal characters */
  hex(): string;
}

/**
 * Starts an incremental SHA-256.
 *
 * @example
 * ```ts
 * import { sha256Stream } from '@decision-ledger/proof/hash';
 *
 * const hash = sha256Stream();
 * hash.update(Buffer.from('ab'));
 * hash.update(Buffer.from('c'));
 * hash.hex(); // => 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
 * ```
 */
export function sha256Stream(): Sha256 {
  const stream = createHash('sha256');
  return {
    update: (bytes) => {
      stream.update(bytes);
    },
    hex: () => stream.digest('hex'),
  };
}

function base64url(text: string): string {
  if (text.length * MAX_BYTES_PER_UNIT > scratch.length) {
    return Buffer.from(text, 'utf8').toString('base64url');
  }
  return scratch.toString('base64url', 0, scratch.write(text));
}

// UTF-8 encoders replace lone surrogates by U+FFFD, so different texts would share a hash.
function refuseLoneSurrogates(text: string): void {
  if (!text.isWellFormed()) {
    throw new TypeError('A text with a lone surrogate has no UTF-8 bytes to hash.');
  }
}
