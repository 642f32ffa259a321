import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { checker } from '@decision-ledger/contract/validation';
import { makeFolder } from '@decision-ledger/embedded/make-folder';
import {
  ownIdentity,
  type ProcessIdentity,
  processRuns,
} from '@decision-ledger/embedded/process-identity';
import { type Static, Type } from 'typebox';

const Count = Type.Integer({ minimum: 0 });

/** The part of a file that is on disk, and the position after it. */
const Checkpoint = Type.Object({
  bytes: Count,
  records: Count,
  next: Type.Union([Type.String(), Type.Null()]),
  isWhole: Type.Boolean(),
});

/** Progress of an attempt, from which a later one continues. */
const State = Type.Object({
  snapshot: Type.Object({
    start: Type.Integer(),
    end: Type.Integer(),
    firstSeq: Count,
    lastSeq: Count,
    decisions: Count,
    head: Count,
    since: Count,
    logs: Type.Object({ decisions: Count, activity: Count, named: Count }),
    inRange: Count,
    erased: Count,
    namings: Type.Array(Count),
  }),
  /** Last seq of the chain of activity in the bundle; null until it is fixed. */
  activitySeq: Type.Union([Count, Type.Null()]),
  parts: Type.Record(Type.String(), Checkpoint),
});

export type Checkpoint = Static<typeof Checkpoint>;
export type WorkState = Static<typeof State>;

/** The folder in which the files of one export are written. */
export interface WorkFolder {
  readonly path: string;
  /** State of the previous attempt; null if there was none. */
  readonly state: WorkState | null;
  save(state: WorkState): Promise<void>;
  remove(): Promise<void>;
}

const FOLDER = /^([0-9a-f-]{36})@[0-9a-f]{12}$/;
const OWNER = 'owner.json';
const STATE = 'state.json';
const readOwner = checker(
  Type.Object({
    pid: Type.Integer(),
    startedAt: Type.Union([Type.String(), Type.Null()]),
    bootId: Type.Union([Type.String(), Type.Null()]),
    pidNamespace: Type.Union([Type.String(), Type.Null()]),
    host: Type.String(),
  }),
  'owner',
);
const readState = checker(State, 'state');

/**
 * Opens a folder that only this process uses: that of an attempt which ended, here or in a dead process,
 * or a new one. A folder whose process may still run is not touched, so that no two processes write the
 * same file.
 */
export async function openWorkFolder(root: string, exportId: string): Promise<WorkFolder> {
  makeFolder(root);
  const path = join(root, `${exportId}@${randomBytes(6).toString('hex')}`);
  if (!(await adopt(root, exportId, path))) await mkdir(path, { mode: 0o700 });
  try {
    await writeWhole(join(path, OWNER), JSON.stringify(ownIdentity()));
  } catch (error) {
    // A folder without an owner is never taken over, and its files may be what fills the disk.
    await rm(path, { recursive: true, force: true });
    throw error;
  }
  return {
    path,
    state: await loadState(path),
    save: (state) => writeWhole(join(path, STATE), JSON.stringify(state)),
    remove: () => rm(path, { recursive: true, force: true }),
  };
}

/** Names in the folder of work folders; none if it does not exist. */
export function listFolders(root: string): Promise<string[]> {
  return readdir(root).catch(() => []);
}

/**
 * Removes folders without a write since a time (ms), and those of finished exports.
 * @param names listed before `unfinished` was read
 * @param unfinished UUIDs of pending and running exports
 */
export async function removeOldFolders(
  root: string,
  names: readonly string[],
  before: number,
  unfinished: ReadonlySet<string>,
): Promise<void> {
  for (const name of names) {
    const path = join(root, name);
    const found = await stat(path).catch(() => null);
    const [, exportId] = FOLDER.exec(name) ?? [];
    const isNeeded = exportId === undefined || unfinished.has(exportId);
    if (found === null || (isNeeded && found.mtimeMs >= before)) continue;
    await rm(path, { recursive: true, force: true });
  }
}

/**
 * Removes the folders of an export (UUID) that `openWorkFolder` could take over. Works on a full disk,
 * because it writes nothing.
 */
export async function removeLeftFolders(root: string, exportId: string): Promise<void> {
  for (const path of await leftFolders(root, exportId)) {
    await rm(path, { recursive: true, force: true });
  }
}

async function leftFolders(root: string, exportId: string): Promise<string[]> {
  const left: string[] = [];
  for (const name of await listFolders(root)) {
    const path = join(root, name);
    if (name.startsWith(`${exportId}@`) && (await isLeft(path))) left.push(path);
  }
  return left;
}

async function adopt(root: string, exportId: string, path: string): Promise<boolean> {
  for (const left of await leftFolders(root, exportId)) {
    // If two processes try, only one rename succeeds.
    const adopted = await rename(left, path).then(
      () => true,
      () => false,
    );
    if (adopted) return true;
  }
  return false;
}

async function isLeft(path: string): Promise<boolean> {
  const owner = await load(join(path, OWNER), readOwner);
  if (owner === null) return false;
  const own = ownIdentity();
  if (isSame(owner, own)) return true;
  if (owner.host !== own.host || own.bootId === null || owner.bootId === null) return false;
  if (owner.bootId !== own.bootId) return true;
  return owner.pidNamespace === own.pidNamespace && !processRuns(owner);
}

function isSame(a: ProcessIdentity, b: ProcessIdentity): boolean {
  return (
    a.pid === b.pid &&
    a.startedAt === b.startedAt &&
    a.bootId === b.bootId &&
    a.pidNamespace === b.pidNamespace &&
    a.host === b.host
  );
}

const loadState = (path: string) => load(join(path, STATE), readState);

/** Null if the file is missing or incomplete. */
async function load<Value>(path: string, read: (value: unknown) => Value): Promise<Value | null> {
  try {
    return read(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    return null;
  }
}

async function writeWhole(path: string, text: string): Promise<void> {
  const draft = `${path}.new`;
  try {
    const file = await open(draft, 'w', 0o600);
    try {
      await file.writeFile(text);
      await file.datasync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
