import { readlinkSync, renameSync, symlinkSync, unlinkSync } from 'node:fs';
import { isRunning } from './process-identity.js';

/**
 * The lock is a symbolic link whose target is the holder's identity: created with its content in one step,
 * or not at all. It only saves double work. Two builders at once would still be correct, because each builds
 * in a folder of its own, so the narrow race in breaking a dead holder's lock is harmless.
 */
export function tryLock(path, identity) {
  const current = lockHolder(path);
  if (current !== undefined && !isRunning(current)) {
    ignoring('ENOENT', () => {
      const aside = `${path}-stale-${identity}`;
      renameSync(path, aside);
      unlinkSync(aside);
    });
  }
  return ignoring('EEXIST', () => {
    symlinkSync(identity, path);
    return true;
  });
}

export function unlock(path, identity) {
  if (lockHolder(path) === identity) ignoring('ENOENT', () => unlinkSync(path));
}

export function lockHolder(path) {
  return ignoring('ENOENT', () => readlinkSync(path));
}

export function ignoring(code, action) {
  try {
    return action();
  } catch (error) {
    if (error.code !== code) throw error;
    return undefined;
  }
}
