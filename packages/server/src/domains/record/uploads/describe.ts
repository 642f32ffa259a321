import { notFound } from '@decision-ledger/contract/errors';
import { LIMITS } from '@decision-ledger/contract/limits';
import { formatTimestamp } from '@decision-ledger/contract/time';
import type { Upload } from '@decision-ledger/contract/upload';
import { idToUuid, uuidToId } from '../../../platform/ids.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import { selectUploads, type UploadRow } from './store/uploads.js';

/** @throws LedgerError `not_found` */
export async function readUpload(ledger: LedgerReader, uploadId: string): Promise<UploadRow> {
  const uuid = idToUuid('upl', uploadId);
  const [row] = uuid === null ? [] : await selectUploads(ledger, [uuid]);
  if (row === undefined) throw notFound('upload');
  return row;
}

/** An upload as the API returns it. */
export function describeUpload(
  row: Pick<UploadRow, 'upload_id' | 'size' | 'sha256' | 'media_type' | 'received'> &
    Pick<UploadRow, 'value' | 'seq' | 'expires_at'>,
): Upload {
  return {
    upload_id: uuidToId('upl', row.upload_id),
    size: row.size,
    sha256: row.sha256,
    media_type: row.media_type,
    offset: row.received,
    chunk_bytes: LIMITS.uploadChunkBytes,
    is_complete: row.value !== null,
    expires_at: row.seq === null ? formatTimestamp(row.expires_at) : null,
  };
}
