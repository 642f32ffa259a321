import { LedgerError } from '@decision-ledger/contract/errors';
import type { Clock } from '../../../platform/clock.js';
import type { Database } from '../../../platform/database.js';
import { FileStoreError } from '../../../platform/files/file-store-error.js';
import type { Scope } from '../../../platform/scope.js';
import { SigningKeyError } from '../signing-keys/index.js';
import { notifyStatus } from './notify.js';
import { readExport } from './read.js';
import { type ExportRow, updateFailure } from './store/exports.js';
import { removeLeftFolders } from './work-folder.js';

export interface FailureTools {
  readonly db: Database;
  readonly clock: Clock;
  /** Folder in which files are made. */
  readonly workDir: string;
  /** Called with the error of each failed try. */
  readonly onFailure: (error: unknown) => void;
}

/** Tries until an export is given up: some three minutes. */
const MAX_FAILURES = 6;

/** A key that does not open will not open at the next try. */
const mostFailures = (error: unknown) => (error instanceof SigningKeyError ? 1 : MAX_FAILURES);

/**
 * Counts a failed try; after too many the export is failed, with the reason.
 * @returns its status then; null where it is not to be made any more
 */
export async function countFailure(
  { db, clock, workDir, onFailure }: FailureTools,
  scope: Scope,
  exportId: string,
  error: unknown,
): Promise<ExportRow['status'] | null> {
  onFailure(error);
  const { export_id } = await readExport(db, scope, exportId);
  const status = await db.transaction(async (tx) => {
    const counted = await updateFailure(tx, scope, export_id, reasonOf(error), mostFailures(error));
    if (counted === 'failed') await notifyStatus(tx, scope, export_id, 'failed', clock.now());
    return counted;
  });
  if (status === 'failed') await removeLeftFolders(workDir, export_id);
  return status;
}

/** The message where the reader can act on it. Other errors are logged alone: they may hold secrets. */
function reasonOf(error: unknown): string {
  if (error instanceof LedgerError) return error.message;
  if (error instanceof FileStoreError || error instanceof SigningKeyError) return error.message;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return REASONS.get(code) ?? 'something went wrong in the service; the error was logged';
}

const NO_ROOM = 'the folder in which exports are made has no room left';
const REASONS: ReadonlyMap<string, string> = new Map([
  ['ENOSPC', NO_ROOM],
  ['EDQUOT', NO_ROOM],
  [
    'ERR_WORKER_OUT_OF_MEMORY',
    'it needed more memory than an export is given: ask for a shorter range of time',
  ],
]);

/** Codes of the file system, and of PostgreSQL, which may keep its files on the same disk. */
const DISK_FULL = new Set(['ENOSPC', 'EDQUOT', '53100']);

/** Whether the error, or a cause of it, is a full disk. */
export function isNoRoom(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('code' in error && DISK_FULL.has(String(error.code))) return true;
  return isNoRoom(error.cause);
}
