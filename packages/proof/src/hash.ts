/// <reference lib="es2024.string" />
import { createHash, hash } from 'node:crypto';

/** RFC 9162 section 2.1.1: a leaf is hashed behind a zero byte, an inner node behind a one. */
const LEAF_PREFIX = '\u0000';

// Encoding in one reused piece of memory spares an allocation for each field of each record.
const scratch = Buffer.alloc(32 * 1024);
const MAX_BYTES_PER_UNIT = 3;

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

/**
 * @returns SHA-256 of the base64url form (without padding) of the UTF-8 bytes of `text`, itself in
 *   43 base64url characters
 * @throws TypeError when the text holds a lone surrogate
 */
export function sha256OfBase64url(text: string): string {
  refuseLoneSurrogates(text);
  return hash('sha256', base64url(text), 'base64url');
}

/** SHA-256 of bytes that come piece by piece. */
export interface Sha256 {
  update(bytes: Uint8Array): void;
  /** Ends it. @returns 64 lower-case hexadecimal characters */
  hex(): string;
}

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

// UTF-8 encoders turn each lone surrogate into U+FFFD: two different texts would share one hash.
function refuseLoneSurrogates(text: string): void {
  if (!text.isWellFormed()) {
    throw new TypeError('A text with a lone surrogate has no UTF-8 bytes to hash.');
  }
}
