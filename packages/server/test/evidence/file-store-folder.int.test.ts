import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFileStore } from '#server/platform/files/open';
import type { FileStore } from '#server/platform/files/store';
import { contentOf, fileStoreSuite, namesIn, openWorkshop } from './support/file-store-suite.js';

const folder = mkdtempSync(join(tmpdir(), 'decision-ledger-store-'));
afterAll(() => rmSync(folder, { recursive: true }));

const openIn = (path: string) => openFileStore({ kind: 'folder', path });

describe('Folder store', () => {
  fileStoreSuite(() => openIn(join(folder, 'made/by/the store')));
});

describe('Folder of files', () => {
  const root = join(folder, 'files');
  const workshop = openWorkshop();
  let store: FileStore;
  beforeAll(async () => {
    store = await openIn(root);
  });
  afterAll(() => workshop.remove());

  const mode = (path: string) => statSync(join(root, path)).mode & 0o777;

  it('The folder is created with the first file and closed to other users', async () => {
    expect(() => statSync(root)).toThrow('ENOENT');
    expect(await namesIn(store)).toEqual([]);
    await store.put('deep/er/exp_a.zip', workshop.file('a'));
    expect(['', 'deep', 'deep/er', '.incoming'].map(mode)).toEqual([0o700, 0o700, 0o700, 0o700]);
    expect(mode('deep/er/exp_a.zip')).toBe(0o600);
  });

  it('A file is invisible while it is being written', async () => {
    const pipe = join(folder, 'pipe');
    command('mkfifo', pipe);
    const writing = open(pipe, 'w');
    const put = store.put('exp_slow.zip', pipe);
    const writer = await writing;
    await writer.write(Buffer.alloc(100_000, 1));
    expect(await store.read('exp_slow.zip')).toBeNull();
    expect(await namesIn(store, 'exp_slow')).toEqual([]);
    await writer.write(Buffer.alloc(50_000, 2));
    await writer.close();
    await put;
    expect((await contentOf(store, 'exp_slow.zip'))?.length).toBe(150_000);
    expect(readdirSync(join(root, '.incoming'))).toEqual([]);
  });

  it('Files left by a killed process are removed after a day', async () => {
    const left = (name: string, age: number) => {
      const path = join(root, '.incoming', name);
      writeFileSync(path, 'half of a bundle');
      const time = statSync(path).mtimeMs / 1000 - age;
      utimesSync(path, time, time);
    };
    left('old', 86_500);
    left('new', 86_300);
    await store.put('exp_b.zip', workshop.file('b'));
    expect(readdirSync(join(root, '.incoming'))).toEqual(['new']);
    expect(await namesIn(store, 'exp_b')).toEqual(['exp_b.zip']);
  });

  it('A folder is not read as a file', async () => {
    await store.put('part/exp_c.zip', workshop.file('c'));
    expect(await store.read('part')).toBeNull();
    expect(await store.read('part/exp_c.zip/further')).toBeNull();
  });
});

const disk = smallDisk();

function command(program: string, ...args: readonly string[]): void {
  execFileSync(program, args, { stdio: 'pipe' });
}

/** A small file system that fills up; only root may mount one. */
function smallDisk(): { path: string } | { reason: string } {
  const path = mkdtempSync(join(tmpdir(), 'decision-ledger-disk-'));
  try {
    command('mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', path);
    return { path };
  } catch {
    rmSync(path, { recursive: true });
    return { reason: 'a small file system cannot be mounted here' };
  }
}

const why = 'reason' in disk ? ` (skipped: ${disk.reason})` : '';

describe.skipIf('reason' in disk)(`Full disk${why}`, () => {
  const path = 'path' in disk ? disk.path : '';
  afterAll(() => {
    command('umount', '--lazy', path);
    rmSync(path, { recursive: true });
  });

  it('A full disk refuses a file with a clear error, leaves nothing of it, and keeps the previous one', async () => {
    const workshop = openWorkshop();
    const store = await openIn(join(path, 'files'));
    await store.put('exp_a.zip', workshop.file('as it was'));
    await expect(
      store.put('exp_a.zip', workshop.file(Buffer.alloc(2_000_000))),
    ).rejects.toMatchObject({
      problem: 'full',
      message: `the folder for files, ${join(path, 'files')}, has no space left: free some space`,
    });
    expect(String(await contentOf(store, 'exp_a.zip'))).toBe('as it was');
    expect(readdirSync(join(path, 'files/.incoming'))).toEqual([]);
    await store.put('exp_b.zip', workshop.file('small'));
    workshop.remove();
  });
});
