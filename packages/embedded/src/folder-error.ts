import { EngineError, systemCode } from './engine-error.js';

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
  const reason = error instanceof Error ? error.message : String(error);
  return new EngineError(
    'folder_unusable',
    `The data folder ${folder} cannot be used: ${reason}.`,
    'Give the user of this process read and write access to it, or set LEDGER_DATA_DIR to another folder on a local disk.',
    { cause: error },
  );
}

export function diskFull(folder: string, cause: unknown): EngineError {
  return new EngineError(
    'disk_full',
    `The disk that holds the data folder ${folder} is full.`,
    'Free some space, then start again: no acknowledged data is lost.',
    { cause },
  );
}
