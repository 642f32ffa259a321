import { LedgerError } from '@decision-ledger/contract/errors';
import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/database.js';
import { FileStoreError } from '../../platform/files/file-store-error.js';
import type { Scope } from '../../platform/scope.js';
import { SigningKeyError } from '../signing-keys/index.js';
import { readExport } from './read.js';
import type { ExportRow } from './store/export-row.js';
import { updateFailure } from './store/update-failure.js';
import { tellStatus } from './tell.js';
import { removeLeftFolders } from './work-folder.js';

export interface FailureTools {
  readonly db: Database;
  readonly clock: Clock;
  /** Folder in which files are made. */
  readonly workDir: string;
  /** Told of each try that failed. */
  readonly onFailure: (error: unknown) => void;
}

/** Tries until an export is given up: some three minutes. */
const MOST_FAILURES = 6;

/** A key that does not open will not open at the next try. */
const mostFailures = (error: unknown) => (error instanceof SigningKeyError ? 1 : MOST_FAILURES);

/**
 * Counts a try that failed; after too many the export is failed, and says why.
 * @returns what has become of it; null where it is not to be made any more
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
    if (counted === 'failed') await tellStatus(tx, scope, export_id, 'failed', clock.now());
    return counted;
  });
  if (status === 'failed') await removeLeftFolders(workDir, export_id);
  return status;
}

/** What of an error its reader can do something about. */
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
