import type { JsonValue } from './json.js';
import { isHash } from './shapes.js';

/**
 * The member by which a field of a decision stands for an upload: in a request, its id; in a recorded decision, what
 * was uploaded. Around it stand the short values of the original, at their places.
 */
export const UPLOAD_MEMBER = '$upload';

/** What a recorded field says of the bytes that it stands for. */
export interface UploadReference {
  /** SHA-256 of the bytes as they were sent: 64 lower-case hexadecimal characters. */
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
  readonly media_type: string;
  /** How it begins; absent if that is no text. */
  readonly head?: string;
}

/**
 * What a recorded field says of an upload.
 *
 * @returns null for a field that holds its value itself
 * @example
 * ```ts
 * import { uploadIn } from '@decision-ledger/proof/upload';
 *
 * const upload = { sha256: '0'.repeat(64), size: 300_000, media_type: 'text/plain', head: 'a' };
 * uploadIn({ $upload: upload, order: 7 }); // => upload
 * uploadIn({ order: 7 }); // => null
 * ```
 */
export function uploadIn(value: JsonValue | undefined): UploadReference | null {
  const member = memberOf(value, UPLOAD_MEMBER);
  const sha256 = memberOf(member, 'sha256');
  const size = memberOf(member, 'size');
  const mediaType = memberOf(member, 'media_type');
  const head = memberOf(member, 'head');
  if (typeof sha256 !== 'string' || !isHash(sha256)) return null;
  if (typeof size !== 'number' || !Number.isSafeInteger(size) || size < 1) return null;
  if (typeof mediaType !== 'string') return null;
  return { sha256, size, media_type: mediaType, ...(typeof head === 'string' && { head }) };
}

/**
 * What a recorded field says of the action itself: without what the ledger says of an upload. Of an upload that was kept with
 * none of its values, that is how it begins.
 *
 * @example
 * ```ts
 * import { statedValue } from '@decision-ledger/proof/upload';
 *
 * const $upload = { sha256: '0'.repeat(64), size: 300_000, media_type: 'text/plain', head: 'Dear' };
 * statedValue({ $upload, order: 7 }); // => { order: 7 }
 * statedValue({ $upload }); // => 'Dear'
 * statedValue({ order: 7 }); // => { order: 7 }
 * ```
 */
export function statedValue(value: JsonValue): JsonValue {
  const upload = uploadIn(value);
  if (upload === null || typeof value !== 'object' || value === null) return value;
  const others = Object.entries(value).filter(([name]) => name !== UPLOAD_MEMBER);
  return others.length === 0 ? (upload.head ?? null) : Object.fromEntries(others);
}

function memberOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, name) ? value[name] : undefined;
}
