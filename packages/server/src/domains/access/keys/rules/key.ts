import type { Key } from '@decision-ledger/contract/access';
import type { Mode, Permission } from '@decision-ledger/contract/permissions';
import { formatTimestamp } from '@decision-ledger/contract/time';

/** The ledger that a key belongs to. */
export type KeyMode = 'live' | 'test';

/** An API key with valid format and checksum; it may not exist. */
export interface ParsedKey {
  readonly mode: KeyMode;
  /** The whole key. */
  readonly text: string;
}

/** The text of one kind of credential. */
export interface CredentialText {
  /** @throws RangeError unless `secret` is 32 base62 characters */
  format(mode: KeyMode, secret: string): string;
  /** Null if the format or the checksum is invalid. */
  parse(text: string): ParsedKey | null;
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const SECRET = /^[0-9A-Za-z]{32}$/;
const CRC_TABLE = makeCrcTable();

/** The texts of API keys: `lg_live_…` and `lg_test_…`. */
export const { format: formatKey, parse: parseKey } = credentialText('lg');

/**
 * The text of a credential: a prefix, `_live_` or `_test_`, the secret, then the CRC-32 of the preceding
 * text as six base62 characters. The checksum detects a mistyped text without a query.
 * @param prefix lower-case letters
 */
export function credentialText(prefix: string): CredentialText {
  const pattern = new RegExp(`^${prefix}_(live|test)_[0-9A-Za-z]{38}$`);
  return {
    format(mode, secret) {
      if (!SECRET.test(secret)) throw new RangeError('a secret is 32 base62 characters');
      const body = `${prefix}_${mode}_${secret}`;
      return body + checksum(body);
    },
    parse(text) {
      const match = pattern.exec(text);
      if (match === null) return null;
      const body = text.slice(0, -CHECKSUM_LENGTH);
      if (checksum(body) !== text.slice(-CHECKSUM_LENGTH)) return null;
      return { mode: match[1] === 'live' ? 'live' : 'test', text };
    },
  };
}

/**
 * A new secret of 32 base62 characters (190 bits). Bytes of 248 and more are discarded, because their
 * remainder by 62 would favour some characters.
 * @throws Error if `randomBytes` returns nothing usable
 */
export function makeSecret(randomBytes: (size: number) => Uint8Array): string {
  let secret = '';
  for (let round = 0; round < 64; round += 1) {
    for (const byte of randomBytes(SECRET_LENGTH)) {
      if (byte >= 248) continue;
      secret += BASE62.charAt(byte % 62);
      if (secret.length === SECRET_LENGTH) return secret;
    }
  }
  throw new Error('the source of random bytes is broken');
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let n = 0; n < CHECKSUM_LENGTH; n += 1) {
    digits = BASE62.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

// CRC-32 of ISO 3309 and RFC 1952, 8; the text is ASCII.
function crc32(text: string): number {
  let crc = 0xffffffff;
  for (let n = 0; n < text.length; n += 1) {
    crc = (CRC_TABLE[(crc ^ text.charCodeAt(n)) & 0xff] ?? 0) ^ (crc >>> 8);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

function makeCrcTable(): Uint32Array {
  const table = new Uint32Array(256);
  for (let n = 0; n < 256; n += 1) {
    let value = n;
    for (let bit = 0; bit < 8; bit += 1) {
      value = (value & 1) === 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
    }
    table[n] = value;
  }
  return table;
}

interface StoredKey {
  readonly name: string;
  readonly permissions: Permission[];
  readonly agents: string[] | null;
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
}

/** A key as the API returns it. */
export function describeApiKey(keyId: string, mode: Mode, row: StoredKey): Key {
  return {
    key_id: keyId,
    name: row.name,
    mode,
    permissions: row.permissions,
    agents: row.agents,
    created_at: formatTimestamp(row.created_at),
    expires_at: row.expires_at === null ? null : formatTimestamp(row.expires_at),
    revoked_at: row.revoked_at === null ? null : formatTimestamp(row.revoked_at),
  };
}

/** @param now ms */
export function isUsable(row: Pick<StoredKey, 'expires_at' | 'revoked_at'>, now: number): boolean {
  return row.revoked_at === null && (row.expires_at === null || row.expires_at > now);
}
