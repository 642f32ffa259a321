import { createHash } from 'node:crypto';
import { Upload } from '@decision-ledger/contract/upload';
import { expect } from 'vitest';
import { dataOf } from '../../support/client.js';
import type { Call } from '../call.js';

/** The text of an upload, which its size repeats, so that it is known again. */
const textOf = (size: number): string => 'x'.repeat(size);

export async function createUpload(call: Call): Promise<void> {
  const size = 1 + call.below(2000);
  const sha256 = createHash('sha256').update(textOf(size)).digest('hex');
  const body = { size, sha256, media_type: 'text/plain' };
  const answer = await call.once('createUpload', 'ingest', { body });
  if (answer === null || !call.may('ingest')) return;
  call.ledger.uploads.set(dataOf(answer, Upload, 201).upload_id, size);
}

export async function appendToUpload(call: Call): Promise<void> {
  const id = call.pickId(({ uploads }) => uploads.keys(), 'upl');
  const size = call.ledger.uploads.get(id);
  const [body, isWhole] = [textOf(size ?? 1), call.chance(0.8)];
  const answer = await call.send('appendToUpload', 'ingest', {
    ...{ path: { id }, query: `?offset=${isWhole ? 0 : 7}`, body },
    headers: { 'content-type': 'application/octet-stream' },
  });
  if (!call.may('ingest')) return;
  // All bytes are one chunk: a repeat begins elsewhere. After a day, there is no such upload.
  const expected = size === undefined ? [404] : isWhole ? [200, 404, 409] : [404, 409];
  expect(expected, answer.text).toContain(answer.status);
}
