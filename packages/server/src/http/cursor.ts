import { createHmac, timingSafeEqual } from 'node:crypto';
import type { TokenKeys } from '../platform/keyring/keyring.js';

/** The filters of a list by name. An absent filter is omitted or undefined. */
export type CursorFilters = Readonly<Record<string, string | undefined>>;

/** Signed page cursors, each valid only for the list that it was made for. */
export interface CursorCodec {
  /**
   * Encodes a position, the sort key of the last row shown. `scope` names the ledger and the list.
   * Cursors are signed, not encrypted: a position holds only data that the reader may see.
   * Characters: `A-Z a-z 0-9 - _`.
   */
  encode(position: readonly string[], scope: string, filters: CursorFilters): string;
  /** Decodes a position; null unless `encode` made the cursor with the same scope and filters. */
  decode(cursor: string, scope: string, filters: CursorFilters): string[] | null;
}

const MAC_BYTES = 16;

/** Signs with HMAC-SHA256 (RFC 2104), truncated to 16 bytes. */
export function createCursorCodec(keys: TokenKeys): CursorCodec {
  function sign(
    key: Buffer,
    positionText: Uint8Array,
    scope: string,
    filters: CursorFilters,
  ): Buffer {
    // JSON text has no raw line feed, so the separator is unambiguous.
    const context = JSON.stringify(['cursor', 1, scope, canonical(filters)]);
    const hmac = createHmac('sha256', key).update(`${context}\n`, 'utf8').update(positionText);
    return hmac.digest().subarray(0, MAC_BYTES);
  }

  return {
    encode(position, scope, filters) {
      const text = Buffer.from(JSON.stringify(position), 'utf8');
      return Buffer.concat([sign(keys.current, text, scope, filters), text]).toString('base64url');
    },
    decode(cursor, scope, filters) {
      const bytes = Buffer.from(cursor, 'base64url');
      // Several texts decode to the same bytes; only the canonical one is accepted.
      if (bytes.length <= MAC_BYTES || bytes.toString('base64url') !== cursor) return null;
      const text = bytes.subarray(MAC_BYTES);
      const given = bytes.subarray(0, MAC_BYTES);
      const isOwn = keys.all.some((key) => timingSafeEqual(sign(key, text, scope, filters), given));
      if (!isOwn) return null;
      return readPosition(text.toString('utf8'));
    },
  };
}

function canonical(filters: CursorFilters): [string, string][] {
  const entries: [string, string][] = [];
  for (const [name, value] of Object.entries(filters)) {
    if (value !== undefined) entries.push([name, value]);
  }
  return entries.sort(([a], [b]) => (a < b ? -1 : 1));
}

function readPosition(text: string): string[] | null {
  const position: unknown = JSON.parse(text);
  if (!Array.isArray(position)) return null;
  const parts: string[] = [];
  for (const part of position) {
    if (typeof part !== 'string') return null;
    parts.push(part);
  }
  return parts;
}
