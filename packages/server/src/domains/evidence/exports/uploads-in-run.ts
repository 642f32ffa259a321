import { holdsRecords } from '@decision-ledger/proof/bundle/format';
import { hasTakenUploads } from '../../record/uploads/index.js';
import type { ExportRun } from './export-run.js';

/** A bundle would show decisions without the bytes that their fields stand for. */
export class LeftOutError extends Error {
  override readonly name = 'LeftOutError';
}

/**
 * Refuses to make a bundle that has records, but not all that belongs to them.
 * @throws LeftOutError
 */
export async function requireNoUploads({ ledger, row, snapshot }: ExportRun): Promise<void> {
  if (!holdsRecords(row.export_type)) return;
  if (!(await hasTakenUploads(ledger, snapshot))) return;
  throw new LeftOutError(
    'decisions of its run stand for uploads, which no bundle contains yet: download these with ' +
      'GET /decisions/{id}/uploads/{field}, and request exports of the ranges around them',
  );
}
