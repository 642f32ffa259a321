import type { Readable } from 'node:stream';
import { LedgerError } from '@decision-ledger/contract/errors';
import type { Database } from '../../../platform/database.js';
import type { FileStore } from '../../../platform/files/store.js';
import { uuidToId } from '../../../platform/ids.js';
import type { Ledger } from '../../../platform/ledger.js';
import { recordActivity } from '../../log/activity/index.js';
import { whyGone } from './expire.js';
import { readExport } from './read.js';
import type { ExportRow } from './store/exports.js';

export interface DownloadTools {
  readonly db: Database;
  readonly files: FileStore;
}

export interface Download {
  readonly fileName: string;
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
  readonly stream: Readable;
}

/** Who downloads, and how: with a key or session, or by a link, which anybody who has it can use. */
export interface Recipient {
  readonly actor: string;
  readonly through: 'credential' | 'link';
}

/**
 * The file of an export. The chain of activity records the download before the first byte. The caller must
 * read the stream to its end or destroy it.
 * @param exportId public
 * @throws LedgerError `not_found`, `export_not_ready`, `invalid_state` if it failed, `gone`
 */
export async function openDownload(
  ledger: Ledger,
  tools: DownloadTools,
  exportId: string,
  { actor, through }: Recipient,
): Promise<Download> {
  const row = await readExport(ledger, exportId);
  requireComplete(row);
  const reason = await whyGone(ledger, row);
  if (reason !== null) throw new LedgerError('gone', `the export has expired: ${reason}`);
  const found = row.file === null ? null : await tools.files.read(row.file);
  if (found === null || row.sha256 === null) {
    throw new LedgerError('gone', `the file of the export is missing: ${REMEDY}`);
  }
  const { export_type, export_id, range_start, range_end, sha256 } = row;
  await ledger
    .write((tx) =>
      recordActivity(tx, {
        ...{ type: 'export.downloaded', actor, subject: uuidToId('exp', export_id) },
        data: { sha256, through },
      }),
    )
    .catch((error: unknown) => {
      found.stream.destroy();
      throw error;
    });
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  const fileName = `${export_type}_${day(range_start)}_${day(range_end)}_${uuidToId('exp', export_id)}.zip`;
  return { fileName, bytes: found.bytes, sha256, stream: found.stream };
}

const REMEDY = 'request a new export';

function requireComplete({ status, reason }: ExportRow): void {
  if (status === 'pending' || status === 'running') {
    throw new LedgerError('export_not_ready', `the export is ${status}: poll GET /exports/{id}`);
  }
  if (status === 'failed') {
    throw new LedgerError('invalid_state', `the export failed: ${reason ?? REMEDY}`);
  }
  if (status === 'expired') {
    throw new LedgerError('gone', `the export has expired: ${reason ?? REMEDY}`);
  }
}
