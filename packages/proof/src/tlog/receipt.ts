import { isHash, isTimestamp } from '../shapes.js';
import { TlogError } from './error.js';
import { openNote, parseNote, type Sign, signNote, type Verify } from './note.js';
import { readOrigin } from './origin.js';
import type { VerifierKey } from './verifier-key.js';

/**
 * What the service promises with a signed receipt: the log of the decisions will have the leaf `seq` − 1 with this
 * hash. It is signed with the key of that log. Its first line is no origin, so it is never taken for a checkpoint.
 */
export interface Receipt {
  /** Public id of the ledger. */
  readonly ledger: string;
  /** From 1. */
  readonly seq: number;
  /** 64 lower-case hexadecimal characters. */
  readonly hash: string;
  /** UTC with milliseconds. */
  readonly created_at: string;
}

const HEAD = 'decision-ledger/receipt/v1';
const SEQ = /^[1-9]\d{0,15}$/;

/**
 * The text of a receipt: five lines.
 *
 * @throws TlogError `text_invalid`
 * @example
 * ```ts
 * import { receiptText } from '@decision-ledger/proof/tlog/receipt';
 *
 * const created_at = '2026-04-16T09:30:00.120Z';
 * receiptText({ ledger: 'led_1', seq: 7, hash: '0'.repeat(64), created_at }).split('\n').length; // => 6
 * ```
 */
export function receiptText({ ledger, seq, hash, created_at }: Receipt): string {
  const text = `${HEAD}\n${ledger}\n${seq}\n${hash}\n${created_at}\n`;
  parseReceipt(text);
  return text;
}

/**
 * Signs a receipt.
 *
 * @param key of the log of the decisions
 * @returns the signed note
 * @throws TlogError `text_invalid`
 * @example
 * ```ts
 * import type { Sign } from '@decision-ledger/proof/tlog/note';
 * import { type Receipt, signReceipt } from '@decision-ledger/proof/tlog/receipt';
 * import { parseVerifierKey } from '@decision-ledger/proof/tlog/verifier-key';
 *
 * function acknowledge(receipt: Receipt, key: string, sign: Sign) {
 *   return signReceipt(receipt, parseVerifierKey(key), sign);
 * }
 * ```
 */
export function signReceipt(receipt: Receipt, key: VerifierKey, sign: Sign): string {
  return signNote(receiptText(receipt), key, sign);
}

/**
 * Verifies a signed receipt.
 *
 * @param note the signed note; signatures by unknown keys are ignored
 * @param key the key of the log of the decisions
 * @param verify Ed25519 of the platform
 * @throws TlogError `text_oversized`, `text_invalid`, `signature_missing`, `signature_invalid`,
 *   `origin_mismatch` if it is of another ledger than the key
 * @example
 * ```ts
 * import type { Verify } from '@decision-ledger/proof/tlog/note';
 * import { openReceipt } from '@decision-ledger/proof/tlog/receipt';
 * import { parseVerifierKey } from '@decision-ledger/proof/tlog/verifier-key';
 *
 * async function seqOf(note: string, key: string, verify: Verify) {
 *   return (await openReceipt(note, parseVerifierKey(key), verify)).seq;
 * }
 * ```
 */
export async function openReceipt(
  note: string,
  key: VerifierKey,
  verify: Verify,
): Promise<Receipt> {
  const { text } = await openNote(note, [key], verify);
  const receipt = parseReceipt(text);
  const origin = readOrigin(key.name);
  if (origin?.chain === 'decisions' && origin.ledger === receipt.ledger) return receipt;
  const message = `This is a receipt of ${receipt.ledger}, and the key is that of ${key.name}.`;
  throw new TlogError('origin_mismatch', message);
}

/**
 * The receipt in a signed note whose signatures are not verified.
 *
 * @throws TlogError `text_oversized`, `text_invalid`
 * @example
 * ```ts
 * import { TlogError } from '@decision-ledger/proof/tlog/error';
 * import { readReceipt } from '@decision-ledger/proof/tlog/receipt';
 *
 * function isReceipt(note: string) {
 *   try {
 *     return readReceipt(note).seq > 0;
 *   } catch (error) {
 *     if (error instanceof TlogError) return false;
 *     throw error;
 *   }
 * }
 * isReceipt('hello\n\n— me AAAAAQc=\n'); // => false
 * ```
 */
export function readReceipt(note: string): Receipt {
  return parseReceipt(parseNote(note).text);
}

function parseReceipt(text: string): Receipt {
  const [head, ledger = '', seq = '', hash = '', created_at = '', end, ...more] = text.split('\n');
  if (head !== HEAD) throw invalid(`its first line is not ${HEAD}`);
  if (end !== '' || more.length > 0) throw invalid('it does not consist of five lines');
  if (!/^led_[0-9a-z]+$/.test(ledger)) throw invalid('its second line is not the id of a ledger');
  if (!SEQ.test(seq) || !Number.isSafeInteger(Number(seq))) {
    throw invalid('its third line is not a position');
  }
  if (!isHash(hash)) throw invalid('its fourth line is not a hash');
  if (!isTimestamp(created_at)) throw invalid('its fifth line is not a UTC time');
  return { ledger, seq: Number(seq), hash, created_at };
}

function invalid(reason: string): TlogError {
  return new TlogError('text_invalid', `This is not a receipt: ${reason}.`);
}
