import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LIMITS } from '@decision-ledger/contract/limits';
import type { Ledger } from '../../../platform/ledger.js';
import { appendChunk } from './append.js';
import { type CreateTools, createUpload } from './create.js';

/** Bytes that are hashed before other requests are served. */
const PIECE = 1024 * 1024;

/**
 * Uploads bytes that the service itself received.
 * @returns the id of the upload, as a decision names it
 * @throws LedgerError `payload_too_large`, `unavailable` while too much waits for decisions
 */
export async function keepUpload(
  ledger: Ledger,
  tools: CreateTools,
  bytes: Buffer,
  media_type: string,
): Promise<string> {
  const hash = createHash('sha256');
  for (let at = 0; at < bytes.length; at += PIECE) {
    hash.update(bytes.subarray(at, at + PIECE));
    await nextTurn();
  }
  const body = { size: bytes.length, sha256: hash.digest('hex'), media_type };
  const { upload_id } = await ledger.write((tx) => createUpload(tx, tools, body));
  for (let offset = 0; offset < bytes.length; offset += LIMITS.uploadChunkBytes) {
    const chunk = bytes.subarray(offset, offset + LIMITS.uploadChunkBytes);
    await appendChunk(ledger, tools, upload_id, { offset, bytes: chunk });
  }
  return upload_id;
}
