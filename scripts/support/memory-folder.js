import { chmodSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

const MEMORY = '/dev/shm';
const PREFIX = 'decision-ledger-tests-';
/** The tests use less than a quarter of it at a time. */
const ENOUGH = 6 * 2 ** 30;

/**
 * A folder in memory for the temporary files of this process, where nothing waits for a disk. It is removed
 * when the process ends.
 * @returns {string | undefined} undefined where there is no such file system or too little memory
 */
export function memoryFolder() {
  if (process.platform !== 'linux' || freeBytes() < ENOUGH) return undefined;
  removeLeftovers();
  const folder = join(MEMORY, `${PREFIX}${process.pid}`);
  mkdirSync(folder, { recursive: true });
  // The PostgreSQL server of the tests may run under another account.
  chmodSync(folder, 0o755);
  process.once('exit', () => remove(folder));
  return folder;
}

function freeBytes() {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return Math.min(bavail * bsize, process.availableMemory());
  } catch {
    return 0;
  }
}

/** Folders of processes that were killed. */
function removeLeftovers() {
  for (const name of readdirSync(MEMORY)) {
    const pid = name.startsWith(PREFIX) ? Number(name.slice(PREFIX.length)) : Number.NaN;
    if (pid > 0 && !isRunning(pid)) remove(join(MEMORY, name));
  }
}

/** @param {string} folder */
function remove(folder) {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // A process that is still ending uses it. The next run tries again.
  }
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
