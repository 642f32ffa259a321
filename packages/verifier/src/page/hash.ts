/// <reference lib="es2024.string" />
import type { Sha256 } from '@decision-ledger/proof/hash';
import { sha256 } from '@noble/hashes/sha2.js';

/*
 * Replaces proof's hash.ts in the page, where node:crypto is missing. See there for the documentation;
 * tests compare both on whole bundles.
 */

const LEAF_PREFIX = '\u0000';
const NODE_PREFIX = new Uint8Array([1]);
const encoder = new TextEncoder();

export function leafHash(entry: string): string {
  return hex(sha256(utf8(LEAF_PREFIX + entry)));
}

export function sha256Hex(text: string): string {
  return hex(sha256(utf8(text)));
}

export function sha256Base64url(text: string): string {
  return base64url(sha256(utf8(text)));
}

export function sha256OfBase64url(text: string): string {
  return sha256Base64url(base64url(utf8(text)));
}

export function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  const hash = sha256.create();
  for (const part of [NODE_PREFIX, left, right]) hash.update(part);
  return hash.digest();
}

export function sha256Bytes(bytes: Uint8Array): Uint8Array {
  return sha256(bytes);
}

export function sha256Stream(): Sha256 {
  const stream = sha256.create();
  return {
    update: (bytes) => {
      stream.update(bytes);
    },
    hex: () => hex(stream.digest()),
  };
}

// Encoders replace lone surrogates by U+FFFD, so different texts would share a hash.
function utf8(text: string): Uint8Array {
  if (!text.isWellFormed()) {
    throw new TypeError('A text with a lone surrogate has no UTF-8 bytes to hash.');
  }
  return encoder.encode(text);
}

function hex(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += byte.toString(16).padStart(2, '0');
  return text;
}

/** Characters per call, within the argument limit of all engines. */
const SLICE = 8192;

function base64url(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += SLICE) {
    binary += String.fromCharCode(...bytes.subarray(at, at + SLICE));
  }
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
