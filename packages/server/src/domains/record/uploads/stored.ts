import { LIMITS } from '@decision-ledger/contract/limits';
import type { UploadableField } from '@decision-ledger/contract/upload';
import type { LedgerReader } from '../../../platform/ledger.js';
import { SEAL_BYTES } from '../../../platform/secrets.js';
import { selectTaken } from './store/uploads.js';

/** A field of a recorded decision that stands for an upload. */
export interface StatedUpload {
  readonly seq: number;
  readonly field: UploadableField;
  readonly size: number;
}

/**
 * The digests that are stored beside the bytes of uploads, in hexadecimal: null where bytes are missing.
 * @returns one for each, in order
 */
export async function storedDigests(
  ledger: LedgerReader,
  stated: readonly StatedUpload[],
): Promise<readonly (string | null)[]> {
  if (stated.length === 0) return [];
  const rows = await selectTaken(
    ledger,
    stated.map(({ seq }) => seq),
  );
  const byPlace = new Map(rows.map((row) => [`${row.seq} ${row.field}`, row] as const));
  return stated.map(({ seq, field, size }) => {
    const row = byPlace.get(`${seq} ${field}`);
    return row?.stored === sealedBytes(size) ? row.sha256 : null;
  });
}

/** Each chunk is sealed alone. */
const sealedBytes = (size: number): number =>
  size + Math.ceil(size / LIMITS.uploadChunkBytes) * SEAL_BYTES;
