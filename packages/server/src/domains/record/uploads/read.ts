import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { notFound } from '@decision-ledger/contract/errors';
import type { UploadableField } from '@decision-ledger/contract/upload';
import { idToUuid } from '../../../platform/ids.js';
import type { Keyring } from '../../../platform/keyring/keyring.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import { type ByteSpan, bytesOf, UploadError } from './bytes.js';
import { readRange } from './rules/range.js';
import { selectUploadOf, type UploadRow } from './store/uploads.js';

/** The bytes that a field of a decision stands for, or a part of them. */
export interface OpenedUpload {
  /** Hexadecimal. */
  readonly sha256: string;
  readonly size: number;
  readonly span: ByteSpan;
  readonly isPart: boolean;
  readonly stream: Readable;
}

/**
 * Opens the upload of a field. The caller must read the stream to its end or destroy it. It fails if bytes are missing or
 * altered; those of a whole one are compared with its digest.
 * @param decisionId public
 * @throws LedgerError `not_found`
 */
export async function openUpload(
  ledger: LedgerReader,
  keyring: Keyring,
  { decisionId, field, range }: AskedUpload,
): Promise<OpenedUpload> {
  const uuid = idToUuid('dec', decisionId);
  const row = uuid === null ? null : await selectUploadOf(ledger, uuid, field);
  if (row === null) throw notFound('upload');
  const span = readRange(range, row.size);
  const bytes = bytesOf(ledger, keyring, row, span ?? { start: 0, end: row.size });
  return {
    sha256: row.sha256,
    size: row.size,
    span: span ?? { start: 0, end: row.size },
    isPart: span !== null,
    stream: Readable.from(span === null ? checked(bytes, row) : bytes, { objectMode: false }),
  };
}

export interface AskedUpload {
  /** Public. */
  readonly decisionId: string;
  readonly field: UploadableField;
  /** The header Range. */
  readonly range: string | undefined;
}

async function* checked(bytes: AsyncIterable<Buffer>, { sha256 }: UploadRow) {
  const hash = createHash('sha256');
  for await (const chunk of bytes) {
    hash.update(chunk);
    yield chunk;
  }
  if (hash.digest('hex') !== sha256) throw new UploadError('the bytes do not have their digest');
}
