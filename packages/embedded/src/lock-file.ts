import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { EngineError, systemCode } from './engine-error.js';
import type { ProcessIdentity } from './process-identity.js';

/** The content of `lock.<generation>`: the owner, or that the owner released it. */
export type LockContent = { readonly released: true } | LockOwner;

export interface LockOwner extends ProcessIdentity {
  readonly released: false;
  /** Absolute path of the folder, as its owner sees it, and the number of its file: a copy has another one. */
  readonly folder: string;
  readonly folderFile: string;
  /** The names of its sockets in the folder (full paths of named pipes on Windows). */
  readonly aliveSocket: string;
  readonly controlSocket: string;
}

/** The existing generations, in ascending order. */
export function listGenerations(folder: string): number[] {
  return readdirSync(folder)
    .map((name) => /^lock\.([1-9]\d{0,14})$/.exec(name)?.[1])
    .filter((digits) => digits !== undefined)
    .map(Number)
    .sort((a, b) => a - b);
}

export function lockPath(folder: string, generation: number): string {
  return join(folder, `lock.${generation}`);
}

/** Returns null if the file was just removed. */
export function readLock(folder: string, generation: number): LockContent | null {
  const path = lockPath(folder, generation);
  try {
    return parseLock(JSON.parse(readFileSync(path, 'utf8')), path);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error instanceof SyntaxError ? damaged(path) : error;
  }
}

/** Creates the file atomically; returns false if the generation exists. */
export function linkLock(folder: string, generation: number, content: LockContent): boolean {
  const temporary = writeTemporary(folder, content);
  try {
    linkSync(temporary, lockPath(folder, generation));
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Marks the lock as released; also works on a full disk. */
export function releaseLock(folder: string, generation: number): void {
  const path = lockPath(folder, generation);
  try {
    renameSync(writeTemporary(folder, { released: true }), path);
  } catch {
    const text = JSON.stringify({ released: true });
    const file = openSync(path, 'r+');
    try {
      // Overwritten in place at the same length in one write: no new space, and no partial content.
      writeSync(file, text.padEnd(fstatSync(file).size), 0);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  }
}

export const TEMPORARY = /^lock-[0-9a-f]{12}\.tmp$/;

function writeTemporary(folder: string, content: LockContent): string {
  const path = join(folder, `lock-${randomBytes(6).toString('hex')}.tmp`);
  const file = openSync(path, 'wx', 0o600);
  try {
    writeSync(file, `${JSON.stringify(content)}\n`);
    fsyncSync(file);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
  return path;
}

function parseLock(value: unknown, path: string): LockContent {
  if (typeof value !== 'object' || value === null) throw damaged(path);
  const fields = new Map<string, unknown>(Object.entries(value));
  if (fields.get('released') === true) return { released: true };
  const text = (name: string): string => {
    const field = fields.get(name);
    if (typeof field !== 'string' || field === '') throw damaged(path);
    return field;
  };
  const textOrNull = (name: string) => (fields.get(name) === null ? null : text(name));
  const pid = fields.get('pid');
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid < 1) throw damaged(path);
  return {
    released: false,
    pid,
    startedAt: textOrNull('startedAt'),
    bootId: textOrNull('bootId'),
    pidNamespace: textOrNull('pidNamespace'),
    host: text('host'),
    folder: text('folder'),
    folderFile: text('folderFile'),
    aliveSocket: text('aliveSocket'),
    controlSocket: text('controlSocket'),
  };
}

function damaged(path: string): EngineError {
  return new EngineError(
    'lock_unproven',
    `The lock file ${path} is damaged, so it is unknown whether a server uses the folder.`,
    'Make sure that no server runs on this folder, then delete that file.',
  );
}
