import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes as systemRandomBytes,
} from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '@decision-ledger/embedded/make-folder';

/** The source of a master key: an environment variable, or a file that is created if missing. */
export type MasterKeySource =
  | { readonly base64: string; readonly variable?: string }
  | { readonly file: string };

/** The master key is unusable. The message names the remedy and never contains the key. */
export class MasterKeyError extends Error {
  override readonly name = 'MasterKeyError';
}

/** A sealed value cannot be opened: wrong key, wrong purpose, or altered bytes. */
export class SealError extends Error {
  override readonly name = 'SealError';
}

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION_1 = 1;
/** What sealing adds to a value. */
export const SEAL_BYTES = 1 + NONCE_BYTES + TAG_BYTES;
const MAKE_ONE = 'make one with `openssl rand -base64 32` and keep a copy of it in a safe place';
const RESTORE_IT =
  'restore it from a backup; if no data was ever stored under it, make another with ' +
  '`openssl rand -base64 32`';
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Derives a 32-byte key for one purpose: HKDF-SHA256 (RFC 5869) without salt, with `purpose` as info. */
export function deriveKey(master: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', master, '', `decision-ledger/${purpose}`, KEY_BYTES));
}

/** HMAC-SHA256 (RFC 2104) of a UTF-8 text: 32 bytes. */
export function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text, 'utf8').digest();
}

/**
 * Encrypts secrets at rest: AES-256-GCM (NIST SP 800-38D) under one derived key. A sealed value is
 * `version 1 ‖ nonce, 12 bytes ‖ ciphertext ‖ tag, 16 bytes`. It opens only with the associated text
 * that it was sealed with, such as the ledger and the setting's name, so a value moved to another row
 * is refused. Random nonces allow 2^32 values per key.
 */
export class SecretBox {
  readonly #key: Buffer;
  readonly #randomBytes: (size: number) => Buffer;

  /** Throws a RangeError unless `key` has 32 bytes. */
  constructor(key: Buffer, randomBytes: (size: number) => Buffer = systemRandomBytes) {
    if (key.length !== KEY_BYTES) throw new RangeError('a secret box needs a key of 32 bytes');
    this.#key = key;
    this.#randomBytes = randomBytes;
  }

  seal(plain: string | Uint8Array, associated: string): Buffer {
    const nonce = this.#randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(associatedBytes(associated));
    const bytes = typeof plain === 'string' ? Buffer.from(plain, 'utf8') : plain;
    const head = Buffer.concat([Buffer.of(VERSION_1), nonce, cipher.update(bytes)]);
    return Buffer.concat([head, cipher.final(), cipher.getAuthTag()]);
  }

  /** Returns the original bytes; throws a SealError. */
  open(sealed: Uint8Array, associated: string): Buffer {
    const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
    if (bytes.length < SEAL_BYTES) throw new SealError('the value is cut short');
    if (bytes[0] !== VERSION_1) throw new SealError('the value has an unknown format version');
    const nonce = bytes.subarray(1, 1 + NONCE_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', this.#key, nonce, {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(associatedBytes(associated));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    const plain = decipher.update(bytes.subarray(1 + NONCE_BYTES, -TAG_BYTES));
    try {
      return Buffer.concat([plain, decipher.final()]);
    } catch (cause) {
      throw new SealError(
        'the value does not open: it was sealed under another master key or was altered',
        { cause },
      );
    }
  }
}

/**
 * The master key, 32 bytes. A missing key file is created: if several processes start at the same time,
 * one creates it and all return its key. Throws a MasterKeyError for a missing or malformed key, and the
 * file system's error if the file can be neither read nor created.
 */
export function loadMasterKey(
  source: MasterKeySource,
  randomBytes: (size: number) => Buffer = systemRandomBytes,
): Buffer {
  if ('base64' in source) {
    return decodeKey(source.base64, source.variable ?? 'LEDGER_MASTER_KEY', MAKE_ONE);
  }
  const { file } = source;
  return decodeKey(readIfPresent(file) ?? makeKeyFile(file, randomBytes), file, RESTORE_IT);
}

/**
 * The master key of a file, or null if the file does not exist.
 * @throws MasterKeyError, and the file system's error
 */
export function readMasterKey(file: string): Buffer | null {
  const text = readIfPresent(file);
  return text === null ? null : decodeKey(text, file, RESTORE_IT);
}

function associatedBytes(associated: string): Buffer {
  return Buffer.concat([Buffer.of(VERSION_1), Buffer.from(associated, 'utf8')]);
}

// Messages name only the source, because a malformed key may be a valid one with a typo.
function decodeKey(text: string, origin: string, remedy: string): Buffer {
  const trimmed = text.trim();
  if (trimmed === '') throw new MasterKeyError(`${origin} is missing or empty: ${remedy}`);
  const key = Buffer.from(trimmed, 'base64');
  // Node's decoder ignores invalid characters, so encoding must reproduce the text.
  const unpadded = (base64: string): string => base64.replace(/=+$/, '');
  if (!BASE64.test(trimmed) || unpadded(key.toString('base64')) !== unpadded(trimmed)) {
    throw new MasterKeyError(`${origin} is not valid base64: ${remedy}`);
  }
  if (key.length !== KEY_BYTES) {
    const found = `has ${key.length} bytes instead of ${KEY_BYTES}`;
    throw new MasterKeyError(`${origin} ${found}: ${remedy}`);
  }
  return key;
}

function makeKeyFile(file: string, randomBytes: (size: number) => Buffer): string {
  const folder = dirname(file);
  makeFolder(folder);
  const draft = `${file}.${systemRandomBytes(8).toString('hex')}.tmp`;
  try {
    writeDurably(draft, `${randomBytes(KEY_BYTES).toString('base64')}\n`);
    // A link never replaces a file, and it appears with its complete content or not at all.
    linkSync(draft, file);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  syncFolder(folder);
  return readFileSync(file, 'utf8');
}

function writeDurably(file: string, text: string): void {
  const descriptor = openSync(file, 'wx', 0o600);
  try {
    writeSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Syncs the entries of a folder to disk. */
export function syncFolder(folder: string): void {
  // Windows cannot sync folders; NTFS journals their entries.
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function readIfPresent(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** A part of a text that looks like an API key, session token or signing secret: `[start, end)`, and its replacement. */
export interface KeySpan {
  readonly start: number;
  readonly end: number;
  readonly label: string;
}

// Deliberately wider than valid keys: part of a key, or one with a typo, is also a secret.
const KEY_LIKE = /(lgs?_live|lgs?_test)_[A-Za-z0-9_]+|(whsec)_[A-Za-z0-9+/=_-]+/gi;

/** Finds all parts that look like an API key, session token or signing secret, in order. */
export function findKeys(text: string): KeySpan[] {
  return Array.from(text.matchAll(KEY_LIKE), (match) => ({
    start: match.index,
    end: match.index + match[0].length,
    label: labelOf(match[1] ?? match[2]),
  }));
}

/** Replaces each such part by its prefix and `[redacted]`, such as `lg_live_[redacted]`. */
export function redactKeys(text: string): string {
  return text.replace(KEY_LIKE, (_, key?: string, signing?: string) => labelOf(key ?? signing));
}

function labelOf(prefix = ''): string {
  return `${prefix.toLowerCase()}_[redacted]`;
}
