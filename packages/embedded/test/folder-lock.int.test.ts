import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { EngineError } from '@decision-ledger/embedded/engine';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { acquireFolderLock } from '#embedded/folder-lock';
import { Child } from './support/engine-process.js';

/**
 * Takes the folder repeatedly until it has held it a number of times. While it does, no other
 * process may be in the folder `inside`: it adds an entry there with its pid and start time (pids
 * are reused) and looks for others. It releases the lock itself, or stays until it is killed.
 */
const CONTEND = `
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { acquireFolderLock } from '#embedded/folder-lock';
const [folder, inside, times] = process.argv.slice(1);
const own = process.pid + '-' + startOf(process.pid);
for (let got = 0; got < Number(times); ) {
  let lock;
  try {
    lock = await acquireFolderLock(folder);
  } catch (error) {
    if (error.code !== 'folder_in_use') throw error;
    await pause(Math.random() * 20);
    continue;
  }
  got += 1;
  mkdirSync(join(inside, own));
  await pause(Math.random() * 10);
  const others = readdirSync(inside).filter((name) => name !== own && runs(name));
  console.log(others.length === 0 ? 'held' : 'TWO HOLDERS ' + others);
  if (Math.random() < 0.3) process.kill(process.pid, 'SIGKILL');
  rmSync(join(inside, own), { recursive: true });
  lock.release();
}
function runs(name) {
  const [pid, start] = name.split('-');
  return startOf(pid) === start;
}
function startOf(pid) {
  try {
    const [state, ...words] = readFileSync('/proc/' + pid + '/stat', 'utf8').split(/[)] /).at(-1).split(' ');
    return state === 'Z' || state === 'X' ? null : words[18];
  } catch {
    return null;
  }
}
`;

const HOLD = `
import { acquireFolderLock } from '#embedded/folder-lock';
await acquireFolderLock(process.argv[1]);
console.log('held');
setInterval(() => undefined, 1000);
`;

const root = mkdtempSync(join(tmpdir(), 'lock-test-'));
const children: Child[] = [];
let count = 0;

afterEach(async () => {
  await Promise.all(children.splice(0).map((child) => child.kill()));
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

function folder(): string {
  count += 1;
  const path = join(root, `${count}`);
  mkdirSync(path);
  return path;
}

async function held(path: string): Promise<Child> {
  const child = new Child(HOLD, path);
  children.push(child);
  expect(await child.line()).toBe('held');
  return child;
}

async function outcome(path: string): Promise<string> {
  try {
    const lock = await acquireFolderLock(path);
    lock.release();
    return 'taken';
  } catch (error) {
    if (error instanceof EngineError) return error.code;
    throw error;
  }
}

/** Changes the recorded owner of the lock, as if another machine had written it. */
function rewrite(path: string, changes: Record<string, unknown>): void {
  const file = join(path, readdirSync(path).find((name) => name.startsWith('lock.')) ?? '');
  const content: unknown = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...(content as object), ...changes }));
}

describe('Lock of a data folder', () => {
  it('The lock has one holder at a time under contention and kills', async () => {
    const [path, inside] = [folder(), folder()];
    const contenders = Array.from({ length: 20 }, () => new Child(CONTEND, path, inside, '8'));
    children.push(...contenders);
    const words: string[] = [];
    await Promise.all(
      contenders.map(async (contender) => {
        for await (const word of contender.lines()) words.push(word);
        // Its output ends a moment before the process does.
        await contender.exited;
      }),
    );
    expect(words.length).toBeGreaterThan(20);
    expect(new Set(words)).toEqual(new Set(['held']));
    expect(await outcome(path)).toBe('taken');
    expect(readdirSync(path).filter((name) => name.startsWith('lock'))).toHaveLength(1);
  });

  it('The lock is refused while its holder lives and free once the holder is killed', async () => {
    const path = folder();
    const holder = await held(path);
    expect(await outcome(path)).toBe('folder_in_use');
    await holder.kill();
    expect(await outcome(path)).toBe('taken');
  });

  it('The lock is free if its pid belongs to a later process', async () => {
    const path = folder();
    const holder = await held(path);
    await holder.kill();
    rewrite(path, { pid: process.pid });
    expect(await outcome(path)).toBe('taken');
  });

  it('The lock stays with a holder whose socket was removed', async () => {
    const path = folder();
    await held(path);
    for (const name of readdirSync(path)) {
      if (name.startsWith('alive-')) rmSync(join(path, name));
    }
    expect(await outcome(path)).toBe('folder_in_use');
  });

  it('The lock stays with a holder in another container', async () => {
    const path = folder();
    const holder = await held(path);
    rewrite(path, { pid: 1, pidNamespace: 'pid:[1]', host: 'container' });
    expect(await outcome(path)).toBe('folder_in_use');
    await holder.kill();
    expect(await outcome(path)).toBe('taken');
  });

  it('The lock is undecided if a process of another container may still live', async () => {
    const path = folder();
    const holder = await held(path);
    await holder.kill();
    rewrite(path, { pid: 1, pidNamespace: 'pid:[1]', host: 'container', aliveSocket: 'alive-0' });
    expect(await outcome(path)).toBe('lock_unproven');
  });

  it('The lock is free after a restart of the machine', async () => {
    const path = folder();
    await held(path);
    rewrite(path, { bootId: 'before', host: hostname() });
    expect(await outcome(path)).toBe('taken');
  });

  it.for(['', '{', '[]', '{"released":false}', '{"pid":-1}'])(
    'A lock file with the content %j is not taken over',
    async (text) => {
      const path = folder();
      writeFileSync(join(path, 'lock.7'), text);
      expect(await outcome(path)).toBe('lock_unproven');
    },
  );
});
