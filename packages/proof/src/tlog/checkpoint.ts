import { decodeBase64, encodeBase64 } from './base64.js';
import { TlogError } from './error.js';
import { requireSpan } from './hashes.js';
import { openNote, parseNote, type Sign, signNote, type Verify } from './note.js';
import { HASH_BYTES } from './tree.js';
import { isKeyName, type VerifierKey } from './verifier-key.js';

/** A tree of a log (C2SP tlog-checkpoint, https://c2sp.org/tlog-checkpoint), without extension lines. */
export interface Checkpoint {
  /** Names the log; its key has the same name. */
  readonly origin: string;
  /** Leaves. */
  readonly size: number;
  /** 32 bytes. */
  readonly root: Uint8Array;
}

const SIZE = /^(?:0|[1-9]\d*)$/;

/**
 * The text of a checkpoint: three lines.
 *
 * @throws TlogError `text_invalid`, `range_invalid`, `hash_invalid`
 * @example
 * ```ts
 * import { checkpointText } from '@decision-ledger/proof/tlog/checkpoint';
 *
 * checkpointText({ origin: 'example.com/log', size: 7, root: new Uint8Array(32) });
 * // => 'example.com/log\n7\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n'
 * ```
 */
export function checkpointText({ origin, size, root }: Checkpoint): string {
  if (!isKeyName(origin)) throw invalid('its origin cannot name a key');
  requireSpan(0, size);
  if (root.length !== HASH_BYTES) throw new TlogError('hash_invalid', 'A root has 32 bytes.');
  return `${origin}\n${size}\n${encodeBase64(root)}\n`;
}

/**
 * Reads the text of a checkpoint. Extension lines are refused.
 *
 * @throws TlogError `text_invalid`, `range_invalid`
 * @example
 * ```ts
 * import { parseCheckpoint } from '@decision-ledger/proof/tlog/checkpoint';
 *
 * const root = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=';
 * parseCheckpoint(`example.com/log\n7\n${root}\n`).size; // => 7
 * ```
 */
export function parseCheckpoint(text: string): Checkpoint {
  const [origin = '', size = '', root = '', end, ...more] = text.split('\n');
  if (end !== '' || more.length > 0) throw invalid('it does not consist of three lines');
  if (!isKeyName(origin)) throw invalid('its origin cannot name a key');
  if (!SIZE.test(size)) throw invalid('its size is not a decimal number');
  requireSpan(0, Number(size));
  const hash = decodeBase64(root);
  if (hash.length !== HASH_BYTES) throw invalid('its root does not have 32 bytes');
  return { origin, size: Number(size), root: hash };
}

/**
 * Signs a checkpoint.
 *
 * @param key its name is the checkpoint's origin
 * @returns the signed note
 * @throws TlogError `origin_mismatch`, `text_invalid`, `range_invalid`, `hash_invalid`
 * @example
 * ```ts
 * import { signCheckpoint } from '@decision-ledger/proof/tlog/checkpoint';
 * import { verifierKey } from '@decision-ledger/proof/tlog/verifier-key';
 *
 * function publish(root: Uint8Array, publicKey: Uint8Array, sign: () => Uint8Array) {
 *   const origin = 'example.com/log';
 *   return signCheckpoint({ origin, size: 7, root }, verifierKey(origin, publicKey), sign);
 * }
 * ```
 */
export function signCheckpoint(checkpoint: Checkpoint, key: VerifierKey, sign: Sign): string {
  requireOrigin(checkpoint, key.name);
  return signNote(checkpointText(checkpoint), key, sign);
}

/**
 * Verifies a signed checkpoint of a log.
 *
 * @param note the signed note; signatures by unknown keys are ignored
 * @param key the key of the log; its name is the origin
 * @param verify Ed25519 of the platform
 * @throws TlogError `text_oversized`, `text_invalid`, `range_invalid`, `signature_missing`,
 *   `signature_invalid`, `origin_mismatch`
 * @example
 * ```ts
 * import { openCheckpoint } from '@decision-ledger/proof/tlog/checkpoint';
 * import type { Verify } from '@decision-ledger/proof/tlog/note';
 * import { parseVerifierKey } from '@decision-ledger/proof/tlog/verifier-key';
 *
 * async function sizeOf(note: string, key: string, verify: Verify) {
 *   return (await openCheckpoint(note, parseVerifierKey(key), verify)).size;
 * }
 * ```
 */
export async function openCheckpoint(
  note: string,
  key: VerifierKey,
  verify: Verify,
): Promise<Checkpoint> {
  const { text } = await openNote(note, [key], verify);
  const checkpoint = parseCheckpoint(text);
  requireOrigin(checkpoint, key.name);
  return checkpoint;
}

/**
 * The checkpoint in a signed note whose signatures are not verified.
 *
 * @throws TlogError `text_oversized`, `text_invalid`, `range_invalid`
 * @example
 * ```ts
 * import { readCheckpoint } from '@decision-ledger/proof/tlog/checkpoint';
 *
 * const root = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=';
 * readCheckpoint(`example.com/log\n7\n${root}\n\n— me AAAAAQc=\n`).origin; // => 'example.com/log'
 * ```
 */
export function readCheckpoint(note: string): Checkpoint {
  return parseCheckpoint(parseNote(note).text);
}

function requireOrigin({ origin }: Checkpoint, name: string): void {
  if (origin === name) return;
  throw new TlogError('origin_mismatch', `This is a checkpoint of ${origin}, not of ${name}.`);
}

function invalid(reason: string): TlogError {
  return new TlogError('text_invalid', `This is not a checkpoint: ${reason}.`);
}
