import { readlinkSync, renameSync, symlinkSync, unlinkSync } from 'node:fs';
import { isRunning } from './process-identity.js';

/**
 * The lock is a symbolic link whose target is the holder's identity, so it is created with its content
 * atomically. It only avoids duplicate work: concurrent builds are correct, because each uses its own
 * folder. The race in breaking a stale lock is therefore harmless.
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
