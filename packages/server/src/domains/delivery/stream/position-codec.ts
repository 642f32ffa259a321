import { timingSafeEqual } from 'node:crypto';
import type { TokenKeys } from '../../../platform/keyring/keyring.js';
import type { Scope } from '../../../platform/principal.js';
import { hmac } from '../../../platform/secrets.js';
import { readStreamPosition, type StreamPosition, streamPositionText } from './rules/position.js';

/** Event ids: positions, signed for one ledger. */
export interface PositionCodec {
  encode(scope: Scope, position: StreamPosition): string;
  /** The inverse of `encode`; null for any text that was not encoded for this ledger. */
  decode(scope: Scope, text: string): StreamPosition | null;
}

const MAC_BYTES = 12;

/** Signs with HMAC-SHA256 (RFC 2104), truncated to 12 bytes. Characters: `A-Z a-z 0-9 . - _`. */
export function positionCodec(keys: TokenKeys): PositionCodec {
  const sign = (key: Buffer, { ledgerId }: Scope, text: string): Buffer =>
    hmac(key, `${ledgerId} ${text}`).subarray(0, MAC_BYTES);
  return {
    encode(scope, position) {
      const text = streamPositionText(position);
      return `${text}.${sign(keys.current, scope, text).toString('base64url')}`;
    },
    decode(scope, id) {
      const end = id.lastIndexOf('.');
      const text = id.slice(0, Math.max(0, end));
      const position = readStreamPosition(text);
      const signature = Buffer.from(id.slice(end + 1), 'base64url');
      if (position === null || signature.length !== MAC_BYTES) return null;
      if (signature.toString('base64url') !== id.slice(end + 1)) return null;
      const isOwn = keys.all.some((key) => timingSafeEqual(signature, sign(key, scope, text)));
      return isOwn ? position : null;
    },
  };
}
