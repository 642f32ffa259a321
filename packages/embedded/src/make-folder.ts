import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Creates a folder and its missing parents, private to this user, like
 * `mkdirSync(folder, { recursive: true })`. Node's version never returns if the system answers ENOENT
 * although the parent exists, as Linux does below `/proc`.
 *
 * @returns the absolute path of the uppermost created folder; undefined if nothing was created
 * @throws the system's error, such as EACCES, ENOENT, or EEXIST and ENOTDIR if a file is in the way
 * @example
 * ```ts
 * import { makeFolder } from '@decision-ledger/embedded/make-folder';
 *
 * const created = makeFolder('./ledger-data/exports');
 * if (created !== undefined) console.log(created + ' is new');
 * ```
 */
export function makeFolder(folder: string): string | undefined {
  const absent: string[] = [];
  let path = resolve(folder);
  // The root of a drive that does not exist is its own parent.
  for (; isAbsent(path) && path !== dirname(path); path = dirname(path)) absent.unshift(path);
  for (const missing of absent.length > 0 ? absent : [folder]) makeOne(missing);
  return absent[0];
}

/** Throws ENOTDIR if a parent is a file. */
function isAbsent(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) === undefined;
}

function makeOne(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // It exists already, or another process created it.
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) throw error;
  }
}
