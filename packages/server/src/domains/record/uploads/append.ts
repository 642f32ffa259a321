import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { invalidField, LedgerError } from '@decision-ledger/contract/errors';
import { LIMITS } from '@decision-ledger/contract/limits';
import type { Upload } from '@decision-ledger/contract/upload';
import type { Keyring } from '../../../platform/keyring/keyring.js';
import type { Ledger } from '../../../platform/ledger.js';
import { bytesOf } from './bytes.js';
import { describeUpload, readUpload } from './describe.js';
import { RecordedValue } from './rules/recorded-value.js';
import { openChunkSeal } from './seal.js';
import { insertChunk, type UploadRow } from './store/uploads.js';

export interface AppendTools {
  readonly keyring: Keyring;
}

export interface Chunk {
  readonly offset: number;
  readonly bytes: Buffer;
}

/**
 * Adds the next chunk of an upload. With the last one, all bytes are read again: they must have the digest.
 * @throws LedgerError `not_found`, `conflict` if the chunk begins elsewhere than the next one, `validation_error`
 */
export async function appendChunk(
  ledger: Ledger,
  { keyring }: AppendTools,
  uploadId: string,
  { offset, bytes }: Chunk,
): Promise<Upload> {
  const row = await readUpload(ledger, uploadId);
  if (offset !== row.received) throw elsewhere(row.received);
  requireWholeChunk(row, bytes.length);
  const name = { ledgerId: ledger.ledgerId, uploadId: row.upload_id };
  const seal = openChunkSeal(keyring, name, row.sealed_key);
  const end = offset + bytes.length;
  const value = end === row.size ? await readWhole(ledger, keyring, row, bytes) : null;
  const chunk = { start: offset, end, sealed: seal.seal(bytes, offset), value };
  const isAdded = await ledger.write((tx) => insertChunk(tx, row, chunk));
  if (!isAdded) throw elsewhere((await readUpload(ledger, uploadId)).received);
  return describeUpload({ ...row, received: end, value });
}

function elsewhere(received: number): LedgerError {
  return new LedgerError('conflict', `the next chunk begins at the offset ${received}`);
}

function requireWholeChunk({ size, received }: UploadRow, given: number): void {
  const wanted = Math.min(LIMITS.uploadChunkBytes, size - received);
  if (given === wanted && given > 0) return;
  throw invalidField('body', `must have ${wanted} bytes at this offset, and has ${given}`);
}

/** Bytes that are hashed and read before other requests are served. */
const PIECE = 64 * 1024;

/**
 * What the field of a decision becomes.
 * @param last the last chunk, which is not stored yet
 * @throws LedgerError `validation_error` if the bytes do not have the digest
 */
async function readWhole(
  ledger: Ledger,
  keyring: Keyring,
  row: UploadRow,
  last: Buffer,
): Promise<string> {
  const hash = createHash('sha256');
  const { size, sha256, media_type } = row;
  const value = new RecordedValue({ size, sha256, media_type });
  const read = async (chunk: Buffer) => {
    for (let at = 0; at < chunk.length; at += PIECE) {
      const piece = chunk.subarray(at, at + PIECE);
      hash.update(piece);
      value.push(piece);
      await nextTurn();
    }
  };
  const stored = { start: 0, end: row.received };
  for await (const chunk of bytesOf(ledger, keyring, row, stored)) await read(chunk);
  await read(last);
  const actual = hash.digest('hex');
  if (actual === row.sha256) return value.end();
  throw invalidField('sha256', `the bytes have the digest ${actual}: create another upload`);
}
