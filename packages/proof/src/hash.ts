/// <reference lib="es2024.string" />
import { createHash, hash } from 'node:crypto';

/** RFC 9162 section 2.1.1: a leaf is hashed behind a zero byte, an inner node behind a one. */
const LEAF_PREFIX = '\u0000';

/**
 * Hash of one chain entry, which is also its Merkle leaf hash (RFC 9162 section 2.1.1).
 *
 * @param entry canonical JSON text of the entry
 * @returns 64 lower-case hexadecimal characters: SHA-256 of a zero byte and the UTF-8 bytes
 * @throws TypeError when the text holds a lone surrogate, which has no UTF-8 form
 */
export function leafHash(entry: string): string {
  refuseLoneSurrogates(entry);
  return hash('sha256', LEAF_PREFIX + entry, 'hex');
}

/**
 * @returns SHA-256 of the UTF-8 bytes of `text`, 64 lower-case hexadecimal characters
 * @throws TypeError when the text holds a lone surrogate
 */
export function sha256Hex(text: string): string {
  refuseLoneSurrogates(text);
  return hash('sha256', text, 'hex');
}

/**
 * @returns SHA-256 of the UTF-8 bytes of `text`, 43 base64url characters without padding
 * @throws TypeError when the text holds a lone surrogate
 */
export function sha256Base64url(text: string): string {
  refuseLoneSurrogates(text);
  return hash('sha256', text, 'base64url');
}

/** SHA-256 of bytes that come in pieces. */
export interface Digest {
  update(bytes: Uint8Array): void;
  /** 64 lower-case hexadecimal characters; nothing can be added after it. */
  hex(): string;
}

export function sha256Digest(): Digest {
  const digest = createHash('sha256');
  return {
    update(bytes) {
      digest.update(bytes);
    },
    hex: () => digest.digest('hex'),
  };
}

// UTF-8 encoders turn each lone surrogate into U+FFFD: two different texts would share one hash.
function refuseLoneSurrogates(text: string): void {
  if (!text.isWellFormed()) {
    throw new TypeError('A text with a lone surrogate has no UTF-8 bytes to hash.');
  }
}
