import { placeIn } from './damage.js';
import { databaseFolder, diskIsFull } from './data-folder.js';
import { EngineError, systemCode } from './engine-error.js';
import { checkPages, describeDamage } from './inspect/pages.js';
import { withTable } from './inspect/relations.js';

/**
 * Turns a failed file operation in the data folder into an error for the operator.
 *
 * @example
 * ```ts
 * import { folderError } from '@decision-ledger/embedded/folder-error';
 *
 * const cause = Object.assign(new Error('no space'), { code: 'ENOSPC' });
 * folderError('./ledger-data', cause).code; // => 'disk_full'
 * ```
 */
export function folderError(folder: string, error: unknown): EngineError {
  if (error instanceof EngineError) return error;
  const code = systemCode(error);
  if (code === 'ENOSPC' || code === 'EDQUOT') return diskFull(folder, error);
  if (code === 'EMFILE' || code === 'ENFILE') return tooManyFiles(error);
  return new EngineError(
    'folder_unusable',
    `The data folder ${folder} cannot be used: ${reasonOf(error)}.`,
    'Give the user of this process read and write access to it, or set LEDGER_DATA_DIR to another folder on a local disk.',
    { cause: error },
  );
}

function diskFull(folder: string, cause: unknown): EngineError {
  return new EngineError(
    'disk_full',
    `The disk that holds the data folder ${folder} is full.`,
    'Free some space, then start again.',
    { cause },
  );
}

/** The limit on open files of this process, or of the system, is reached. */
function tooManyFiles(cause: unknown): EngineError {
  return new EngineError(
    'too_many_files',
    'The limit on open files is reached.',
    'Raise it to 1024 or more: `ulimit -n 1024`, or LimitNOFILE= in a unit of systemd.',
    { cause },
  );
}

/**
 * The error for a database that has to be restored.
 *
 * @param folder of the database cluster
 * @param place such as "page 7 of base/5/16466"; the name of the table is added
 * @example
 * ```ts
 * import { damagedDatabase } from '@decision-ledger/embedded/folder-error';
 *
 * damagedDatabase('./ledger-data/pg', 'the write-ahead log', new Error('PANIC')).code; // => 'damaged'
 * ```
 */
export function damagedDatabase(folder: string, place: string, cause: unknown): EngineError {
  return new EngineError(
    'damaged',
    `The database in ${folder} is damaged: ${withTable(folder, place)}; the engine says: ${reasonOf(cause)}.`,
    'Keep the folder as it is, let `decision-ledger doctor` list all that is damaged, and restore the ' +
      'latest backup into another folder (docs/operations.md, "Damaged data").',
    { cause },
  );
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Why the engine did not start. If PostgreSQL does not say what is damaged, every page is checked, because
 * an engine may end in any way on damaged files.
 */
export async function startFailure(dataDir: string, error: unknown): Promise<EngineError> {
  const failure = engineFailure(dataDir, error);
  if (failure.code !== 'engine_failed') return failure;
  const reason = reasonOf(error);
  if (/Permission denied|EACCES/.test(reason)) return folderError(dataDir, error);
  const folder = databaseFolder(dataDir);
  const place = placeIn(reason);
  if (place !== null) return damagedDatabase(folder, place, error);
  const { damaged } = await checkPages(folder).catch(() => ({ damaged: [] }));
  const [first] = damaged;
  return first === undefined ? failure : damagedDatabase(folder, describeDamage(first), error);
}

/** Why a running engine failed. */
export function engineFailure(dataDir: string, error: unknown): EngineError {
  const reason = reasonOf(error);
  if (diskIsFull(dataDir) || /No space left|ENOSPC/.test(reason)) return diskFull(dataDir, error);
  if (/Too many open files|EMFILE|ENFILE/.test(reason)) return tooManyFiles(error);
  return new EngineError(
    'engine_failed',
    `The database engine on ${databaseFolder(dataDir)} failed: ${reason}.`,
    'Start the service again. If it fails again, `decision-ledger doctor` checks the data folder.',
    { cause: error },
  );
}
