import { createHash } from 'node:crypto';
import { LIMITS } from '@decision-ledger/contract/limits';
import { Upload } from '@decision-ledger/contract/upload';
import { type Answer, type Client, dataOf } from './client.js';
import { scopeOf, type TestService } from './service.js';
import { withOwner } from './stored-jobs.js';

export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

export async function createUpload(
  client: Client,
  bytes: Buffer,
  mediaType = 'application/json',
): Promise<Upload> {
  const body = { size: bytes.length, sha256: sha256(bytes), media_type: mediaType };
  return dataOf(await client.post('/uploads', body), Upload, 201);
}

/** Sends the chunk that begins at an offset. */
export function sendChunk(
  client: Client,
  id: string,
  bytes: Buffer,
  offset: number,
): Promise<Answer> {
  const chunk = bytes.subarray(offset, offset + LIMITS.uploadChunkBytes);
  const headers = { 'content-type': 'application/octet-stream' };
  return client.patch(`/uploads/${id}?offset=${offset}`, chunk, headers);
}

/** Uploads bytes in chunks. @returns the id that a decision names */
export async function upload(
  client: Client,
  bytes: Buffer,
  mediaType = 'application/json',
): Promise<string> {
  let { upload_id, offset, is_complete } = await createUpload(client, bytes, mediaType);
  while (!is_complete) {
    const answer = await sendChunk(client, upload_id, bytes, offset);
    ({ offset, is_complete } = dataOf(answer, Upload));
  }
  return upload_id;
}

/** A tool result of at least so many bytes, whose amount and order come last. */
export function toolResult(bytes: number): Buffer {
  const row = (n: number) => ({ sku: `SKU-${n}`, text: 'é'.repeat(200), price: n / 4 });
  const rows = Array.from({ length: Math.ceil(bytes / 440) }, (_, n) => row(n));
  return Buffer.from(
    JSON.stringify({ rows, order_id: 'ORD-77120', amount: 812.5, currency: 'USD' }),
  );
}

/** How many uploads and chunks a ledger has. */
export async function uploadRows(bed: TestService, client: Client) {
  const { ledgerId } = await scopeOf(bed, client);
  const { rows } = await withOwner(bed, (owner) =>
    owner.query(
      `select (select count(*)::int from uploads where ledger_id = $1) as uploads,
        (select count(*)::int from upload_chunks where ledger_id = $1) as chunks`,
      [ledgerId],
    ),
  );
  return rows[0];
}
