import { placeIn } from './damage.js';
import { databaseFolder, diskIsFull } from './data-folder.js';
import { EngineError } from './engine-error.js';
import { damagedDatabase, diskFull, folderError, tooManyFiles } from './folder-error.js';
import { checkPages, describeDamage } from './inspect/pages.js';

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

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
