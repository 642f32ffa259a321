import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { isOrphan, own } from './owner.js';

/** The folder that this process writes. */
export interface OwnFolder {
  readonly path: string;
  readonly release: () => void;
}

const WRITER = 'w-';
const ADOPTED = 'a-';

/** Creates a folder of this process in the outbox. It gets its name once it has its owner. */
export function createFolder(outbox: string): OwnFolder {
  mkdirSync(outbox, { recursive: true, mode: 0o700 });
  const id = randomBytes(6).toString('hex');
  const draft = join(outbox, `new-${id}`);
  mkdirSync(draft, { mode: 0o700 });
  const release = own(draft);
  const path = join(outbox, `${WRITER}${id}`);
  renameSync(draft, path);
  return { path, release: () => release(path) };
}

/**
 * Moves the folders of dead processes into the folder of this one. A rename succeeds for exactly one
 * process.
 * @returns the moved folders
 */
export async function adoptOrphans(outbox: string, own: string): Promise<string[]> {
  const adopted: string[] = [];
  for (const name of namesIn(outbox, WRITER)) {
    const path = join(outbox, name);
    if (path === own || !(await isOrphan(path))) continue;
    const moved = move(path, join(own, `${ADOPTED}${name.slice(WRITER.length)}`));
    if (moved === null) continue;
    // What a dead process had adopted itself.
    for (const inner of namesIn(moved, ADOPTED)) {
      const found = move(join(moved, inner), join(own, inner));
      if (found !== null) adopted.push(found);
    }
    adopted.push(moved);
  }
  return adopted;
}

function namesIn(folder: string, prefix: string): string[] {
  return readdirSync(folder).filter((name) => name.startsWith(prefix));
}

function move(from: string, to: string): string | null {
  try {
    renameSync(from, to);
    return to;
  } catch {
    // Another process was faster.
    return null;
  }
}
