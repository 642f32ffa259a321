import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Creates a folder and those above it that are absent, for this user alone, as
 * `mkdirSync(folder, { recursive: true })` does. Node's own never returns where the system answers
 * ENOENT although the parent exists, as Linux does below `/proc`.
 *
 * @returns the uppermost folder that was created; undefined where there was nothing to create
 * @throws the system's error, such as EACCES, ENOENT, or EEXIST and ENOTDIR where a file is in the way
 */
export function makeFolder(folder: string): string | undefined {
  const absent: string[] = [];
  for (let path = resolve(folder); isAbsent(path); path = dirname(path)) absent.unshift(path);
  for (const path of absent.length > 0 ? absent : [folder]) makeOne(path);
  return absent[0];
}

/** Throws ENOTDIR below a file. */
function isAbsent(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) === undefined;
}

function makeOne(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // It exists already, or another process was faster.
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) throw error;
  }
}
