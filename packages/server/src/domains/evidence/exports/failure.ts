import { LedgerError } from '@decision-ledger/contract/errors';
import type { Database } from '../../../platform/database.js';
import { FileStoreError } from '../../../platform/files/store.js';
import type { Ledger } from '../../../platform/ledger.js';
import { SigningKeyError } from '../signing-keys/index.js';
import { LogFault, LogKeyError } from '../transparency/index.js';
import { LeftOutError } from './copy-uploads.js';
import { notifyStatus, readExport } from './describe.js';
import { type ExportRow, updateFailure } from './store/exports.js';
import { ReconciliationError } from './verify-chains.js';
import { removeLeftFolders } from './work-folder.js';

export interface FailureTools {
  readonly db: Database;
  /** Folder of the work folders. */
  readonly workDir: string;
  /** Called with the error of each failed attempt. */
  readonly onFailure: (error: unknown) => void;
}

/** Attempts until an export fails: about three minutes. */
const MAX_FAILURES = 6;

/** Errors that retrying does not help: a key cannot be decrypted, tables were changed, or a bundle would not be whole. */
const LASTING = [SigningKeyError, LogKeyError, LogFault, ReconciliationError, LeftOutError];
const isLasting = (error: unknown) => LASTING.some((type) => error instanceof type);
const maxFailures = (error: unknown) => (isLasting(error) ? 1 : MAX_FAILURES);

/**
 * Counts a failed attempt; after too many, the export fails with the reason.
 * @returns the new status; null if the export is no longer pending or running
 */
export async function countFailure(
  ledger: Ledger,
  { workDir, onFailure }: FailureTools,
  exportId: string,
  error: unknown,
): Promise<ExportRow['status'] | null> {
  onFailure(error);
  const { export_id } = await readExport(ledger, exportId);
  const status = await ledger.write(async (tx) => {
    const counted = await updateFailure(tx, export_id, reasonOf(error), maxFailures(error));
    if (counted === 'failed') await notifyStatus(tx, export_id, 'failed', tx.clock.now());
    return counted;
  });
  if (status === 'failed') await removeLeftFolders(workDir, export_id);
  return status;
}

/** The message if the reader can act on it. Other errors are only logged: they may contain secrets. */
function reasonOf(error: unknown): string {
  if (error instanceof LedgerError) return error.message;
  if (error instanceof FileStoreError) return error.message;
  if (error instanceof Error && isLasting(error)) return error.message;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return REASONS.get(code) ?? 'an internal error occurred; it was logged';
}

const NO_SPACE = 'the disk of the folder in which exports are made is full';
const REASONS: ReadonlyMap<string, string> = new Map([
  ['ENOSPC', NO_SPACE],
  ['EDQUOT', NO_SPACE],
  [
    'ERR_WORKER_OUT_OF_MEMORY',
    'it exceeded the memory limit of an export: request a shorter range of time',
  ],
]);

/** Codes of the file system, and of PostgreSQL, which may use the same disk. */
const DISK_FULL = new Set(['ENOSPC', 'EDQUOT', '53100']);

/** Whether the error or one of its causes is a full disk. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('code' in error && DISK_FULL.has(String(error.code))) return true;
  return isDiskFull(error.cause);
}
