import { LIMITS } from '@decision-ledger/contract/limits';
import type { Keyring } from '../../../platform/keyring/keyring.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import { openChunkSeal } from './seal.js';
import { selectChunk, type UploadRow } from './store/uploads.js';

/** A part of the original bytes; the end is exclusive. */
export interface ByteSpan {
  readonly start: number;
  readonly end: number;
}

/** A chunk of an upload is missing or altered. */
export class UploadError extends Error {
  override readonly name = 'UploadError';
}

/**
 * The original bytes of an upload, one chunk at a time.
 * @throws UploadError for a missing chunk, SealError for an altered one
 */
export async function* bytesOf(
  ledger: LedgerReader,
  keyring: Keyring,
  row: Pick<UploadRow, 'upload_id' | 'sealed_key'>,
  { start, end }: ByteSpan,
): AsyncGenerator<Buffer> {
  const name = { ledgerId: ledger.ledgerId, uploadId: row.upload_id };
  const seal = openChunkSeal(keyring, name, row.sealed_key);
  const size = LIMITS.uploadChunkBytes;
  for (let at = start - (start % size); at < end; at += size) {
    const sealed = await selectChunk(ledger, row, at);
    if (sealed === null) throw new UploadError(`the chunk at ${at} is missing`);
    const bytes = seal.open(sealed, at);
    yield bytes.subarray(Math.max(0, start - at), Math.min(bytes.length, end - at));
  }
}
