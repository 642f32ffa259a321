import { decodeBase64, encodeBase64 } from './base64.js';
import { TlogError } from './error.js';
import { isKeyName, type VerifierKey } from './verifier-key.js';

/*
 * Signed notes of C2SP (https://c2sp.org/signed-note).
 */

/** Longest note, in UTF-16 units. */
export const MAX_NOTE = 128 * 1024;
const MAX_SIGNATURES = 100;
const ID_BYTES = 4;
const SPLIT = '\n\n';
const PREFIX = '\u2014 ';
const encoder = new TextEncoder();

/** A signature of a note, by a key that may be unknown. */
export interface NoteSignature {
  readonly name: string;
  /** 32 bits, unsigned. */
  readonly keyId: number;
  readonly signature: Uint8Array;
}

export interface Note {
  /** What is signed; it ends with a newline. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

/** Signs with Ed25519 (RFC 8032). Returns 64 bytes. */
export type Sign = (message: Uint8Array) => Uint8Array;

/** Verifies an Ed25519 signature (RFC 8032); false if it or the key is invalid. */
export type Verify = (
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
) => boolean | Promise<boolean>;

/**
 * Signs a text.
 *
 * @param text ends with a newline, without other control characters
 * @returns the signed note
 * @throws TlogError `text_invalid`, `text_oversized`
 * @example
 * ```ts
 * import { generateKeyPairSync, sign } from 'node:crypto';
 * import { signNote } from '@decision-ledger/proof/tlog/note';
 * import { verifierKey } from '@decision-ledger/proof/tlog/verifier-key';
 *
 * const { publicKey, privateKey } = generateKeyPairSync('ed25519');
 * const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32);
 * const key = verifierKey('example.com/log', raw);
 * signNote('hello\n', key, (message) => sign(null, message, privateKey));
 * ```
 */
export function signNote(text: string, key: VerifierKey, sign: Sign): string {
  const { name, keyId } = key;
  const signed = noteText({ text, signatures: [{ name, keyId, signature: sign(utf8(text)) }] });
  parseNote(signed);
  return signed;
}

/**
 * The text of a signed note.
 *
 * @example
 * ```ts
 * import { noteText } from '@decision-ledger/proof/tlog/note';
 *
 * const signature = new Uint8Array([7]);
 * noteText({ text: 'hello\n', signatures: [{ name: 'me', keyId: 1, signature }] });
 * // => 'hello\n\n— me AAAAAQc=\n'
 * ```
 */
export function noteText({ text, signatures }: Note): string {
  const lines = signatures.map(({ name, keyId, signature }) => {
    const bytes = new Uint8Array(ID_BYTES + signature.length);
    new DataView(bytes.buffer).setUint32(0, keyId);
    bytes.set(signature, ID_BYTES);
    return `${PREFIX}${name} ${encodeBase64(bytes)}\n`;
  });
  return `${text}\n${lines.join('')}`;
}

/**
 * Takes a signed note apart, without verifying it. Its text must not be trusted.
 *
 * @throws TlogError `text_oversized`, `text_invalid`
 * @example
 * ```ts
 * import { parseNote } from '@decision-ledger/proof/tlog/note';
 *
 * parseNote('hello\n\n— me AAAAAQc=\n').signatures[0]?.name; // => 'me'
 * ```
 */
export function parseNote(note: string): Note {
  if (note.length > MAX_NOTE) {
    throw new TlogError('text_oversized', `A note has at most ${MAX_NOTE} characters.`);
  }
  // Of U+FFFD nobody knows whether it stands for bytes that are not UTF-8.
  if (/[\u0000-\u0009\u000b-\u001f\ufffd]|\p{Cs}/u.test(note)) {
    throw invalid('it has a character that notes do not have');
  }
  const split = note.lastIndexOf(SPLIT);
  if (split === -1) throw invalid('no empty line stands before its signatures');
  const lines = note.slice(split + SPLIT.length).split('\n');
  if (lines.pop() !== '' || lines.length === 0) throw invalid('it does not end with a signature');
  if (lines.length > MAX_SIGNATURES) {
    throw new TlogError('text_oversized', `A note has at most ${MAX_SIGNATURES} signatures.`);
  }
  return { text: note.slice(0, split + 1), signatures: lines.map(parseSignature) };
}

/**
 * Verifies the signatures of a note by known keys and ignores all others.
 *
 * @param note the signed note
 * @param keys the known keys
 * @param verify Ed25519 of the platform
 * @returns the text, and the keys that signed it, at least one
 * @throws TlogError `text_oversized`, `text_invalid`, `signature_missing`, `signature_invalid`
 * @example
 * ```ts
 * import { createPublicKey, verify } from 'node:crypto';
 * import { openNote, type Verify } from '@decision-ledger/proof/tlog/note';
 * import { parseVerifierKey } from '@decision-ledger/proof/tlog/verifier-key';
 *
 * const PREFIX = Buffer.from('302a300506032b6570032100', 'hex');
 * const ed25519: Verify = (publicKey, message, signature) => {
 *   const der = Buffer.concat([PREFIX, publicKey]);
 *   const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
 *   return verify(null, message, key, signature);
 * };
 *
 * async function textOf(note: string, key: string) {
 *   return (await openNote(note, [parseVerifierKey(key)], ed25519)).text;
 * }
 * ```
 */
export async function openNote(
  note: string,
  keys: readonly VerifierKey[],
  verify: Verify,
): Promise<{ readonly text: string; readonly keys: readonly VerifierKey[] }> {
  const { text, signatures } = parseNote(note);
  const message = utf8(text);
  const signers = new Set<VerifierKey>();
  for (const { name, keyId, signature } of signatures) {
    const key = keys.find((known) => known.name === name && known.keyId === keyId);
    // Like the reference implementation: of several signatures by a key, the first one counts.
    if (key === undefined || signers.has(key)) continue;
    if (!(await verify(key.publicKey, message, signature))) {
      throw new TlogError('signature_invalid', `The signature by ${name} is not valid.`);
    }
    signers.add(key);
  }
  if (signers.size > 0) return { text, keys: [...signers] };
  throw new TlogError('signature_missing', 'No known key signed this note.');
}

function parseSignature(line: string): NoteSignature {
  const [name = '', encoded = '', ...more] = line.slice(PREFIX.length).split(' ');
  const isLine = line.startsWith(PREFIX) && isKeyName(name) && encoded !== '' && more.length === 0;
  const bytes = isLine ? decodeBase64(encoded) : new Uint8Array();
  if (bytes.length <= ID_BYTES) throw invalid('a line after the empty one is not a signature');
  const keyId = new DataView(bytes.buffer).getUint32(0);
  return { name, keyId, signature: bytes.slice(ID_BYTES) };
}

function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}

function invalid(reason: string): TlogError {
  return new TlogError('text_invalid', `This is not a signed note: ${reason}.`);
}
