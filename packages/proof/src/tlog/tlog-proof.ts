import { decodeBase64, encodeBase64 } from './base64.js';
import { openCheckpoint, readCheckpoint } from './checkpoint.js';
import { TlogError } from './error.js';
import { requireHash, requireSpan } from './hashes.js';
import { MAX_NOTE, type Verify } from './note.js';
import { checkInclusion } from './proofs.js';
import type { VerifierKey } from './verifier-key.js';

/** A proof in the form of C2SP tlog-proof (https://c2sp.org/tlog-proof), without extra data. */
export interface TlogProof {
  /** Position of the entry, from 0. */
  readonly index: number;
  /** Inclusion proof: 32 bytes each. */
  readonly hashes: readonly Uint8Array[];
  /** Signed note. */
  readonly checkpoint: string;
}

const HEAD = 'c2sp.org/tlog-proof@v1';
const INDEX = /^index (0|[1-9]\d*)$/;
/** Of a tree of at most 2^63 leaves. */
const MAX_HASHES = 63;
const MAX_TEXT = MAX_NOTE + 4096;

/**
 * The text of a `.tlog-proof` file.
 *
 * @example
 * ```ts
 * import { tlogProofText } from '@decision-ledger/proof/tlog/tlog-proof';
 *
 * tlogProofText({ index: 7, hashes: [], checkpoint: 'example.com/log\n…' });
 * // => 'c2sp.org/tlog-proof@v1\nindex 7\n\nexample.com/log\n…'
 * ```
 */
export function tlogProofText({ index, hashes, checkpoint }: TlogProof): string {
  const lines = [HEAD, `index ${index}`, ...hashes.map(encodeBase64)];
  return `${lines.join('\n')}\n\n${checkpoint}`;
}

/**
 * Reads a `.tlog-proof` file, without verifying it. Extra data is refused, because nothing proves it.
 *
 * @throws TlogError `text_oversized`, `text_invalid`, `range_invalid`, `hash_invalid`
 * @example
 * ```ts
 * import { parseTlogProof } from '@decision-ledger/proof/tlog/tlog-proof';
 *
 * const root = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=';
 * const note = `example.com/log\n1\n${root}\n\n— me AAAAAQc=\n`;
 * parseTlogProof(`c2sp.org/tlog-proof@v1\nindex 0\n\n${note}`).index; // => 0
 * ```
 */
export function parseTlogProof(text: string): TlogProof {
  if (text.length > MAX_TEXT) {
    throw new TlogError('text_oversized', `A proof has at most ${MAX_TEXT} characters.`);
  }
  const split = text.indexOf('\n\n');
  if (split === -1) throw invalid('no empty line stands before its checkpoint');
  const [head, position = '', ...lines] = text.slice(0, split).split('\n');
  if (head !== HEAD) throw invalid(`its first line is not ${HEAD}`);
  const index = INDEX.exec(position)?.[1];
  if (index === undefined) throw invalid('its second line is not the index of an entry');
  if (lines.length > MAX_HASHES) throw invalid(`it has more than ${MAX_HASHES} hashes`);
  const hashes = lines.map(decodeBase64);
  hashes.forEach(requireHash);
  const checkpoint = text.slice(split + 2);
  const { size } = readCheckpoint(checkpoint);
  requireSpan(Number(index) + 1, size);
  return { index: Number(index), hashes, checkpoint };
}

/**
 * Verifies that an entry belongs to a log.
 *
 * @param text of the `.tlog-proof` file
 * @param leaf hash of the entry: 32 bytes
 * @param key the key of the log
 * @param verify Ed25519 of the platform
 * @returns position of the entry, from 0
 * @throws TlogError
 * @example
 * ```ts
 * import { leafHash } from '@decision-ledger/proof/hash';
 * import type { Verify } from '@decision-ledger/proof/tlog/note';
 * import { openTlogProof } from '@decision-ledger/proof/tlog/tlog-proof';
 * import { parseVerifierKey } from '@decision-ledger/proof/tlog/verifier-key';
 *
 * async function seqOf(proof: string, entry: string, key: string, verify: Verify) {
 *   const leaf = Buffer.from(leafHash(entry), 'hex');
 *   return 1 + (await openTlogProof(proof, leaf, parseVerifierKey(key), verify));
 * }
 * ```
 */
export async function openTlogProof(
  text: string,
  leaf: Uint8Array,
  key: VerifierKey,
  verify: Verify,
): Promise<number> {
  const { index, hashes, checkpoint } = parseTlogProof(text);
  const { size, root } = await openCheckpoint(checkpoint, key, verify);
  checkInclusion({ index, size, leaf, proof: hashes, root });
  return index;
}

function invalid(reason: string): TlogError {
  return new TlogError('text_invalid', `This is not a proof of a transparency log: ${reason}.`);
}
