import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FileStore } from '#server/platform/files/store';

/** A folder for files to be stored. */
export interface Workshop {
  file(bytes: Buffer | string): string;
  remove(): void;
}

export function openWorkshop(): Workshop {
  const folder = mkdtempSync(join(tmpdir(), 'decision-ledger-files-'));
  let made = 0;
  return {
    file: (bytes) => {
      made += 1;
      const path = join(folder, `source-${made}`);
      writeFileSync(path, bytes);
      return path;
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/** The bytes of a stored file, or null if there is none. */
export async function contentOf(store: FileStore, name: string): Promise<Buffer | null> {
  const found = await store.read(name);
  if (found === null) return null;
  const bytes = await buffer(found.stream);
  expect(found.bytes).toBe(bytes.length);
  return bytes;
}

export async function namesIn(store: FileStore, prefix = ''): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of store.list(prefix)) names.push(name);
  return names.sort();
}

const REFUSED = [
  ...['', '.', '..', '../a', 'a/../b', 'a/..', '/a', 'a/', 'a//b', '.hidden', 'a/.hidden'],
  ...['A', 'ä', 'a b', 'a\\b', 'a\0', 'a\n', '%2e%2e', 'a?b', `${'a'.repeat(201)}`],
];

/** The contract of every file store. */
export function fileStoreSuite(open: () => Promise<FileStore>): void {
  let store: FileStore;
  let workshop: Workshop;
  beforeAll(async () => {
    store = await open();
    workshop = openWorkshop();
  });
  afterAll(async () => {
    workshop.remove();
    await store.close();
  });

  describe('Files', () => {
    it.for([
      ['zero bytes', Buffer.alloc(0)],
      ['a few bytes', Buffer.from('a bundle')],
      ['more than one part of an upload', randomBytes(17 * 1024 * 1024 + 1)],
    ] as const)('A file of %s comes back as it was stored', async ([, bytes]) => {
      await store.put('exp_a.zip', workshop.file(bytes));
      expect((await contentOf(store, 'exp_a.zip'))?.equals(bytes)).toBe(true);
    });

    it('A file replaces an earlier one of the same name', async () => {
      await store.put('exp_b.zip', workshop.file('the first, which is longer'));
      await store.put('exp_b.zip', workshop.file('the second'));
      expect(String(await contentOf(store, 'exp_b.zip'))).toBe('the second');
    });

    it('A file that was deleted or never stored is not found', async () => {
      await store.put('exp_c.zip', workshop.file('c'));
      await store.delete('exp_c.zip');
      expect(await store.read('exp_c.zip')).toBeNull();
      await store.delete('exp_c.zip');
      await store.delete('never/exp_d.zip');
      expect(await store.read('never/exp_d.zip')).toBeNull();
    });

    it('A file that cannot be read locally is not stored', async () => {
      await expect(store.put('exp_e.zip', '/nonexistent/source')).rejects.toThrow('ENOENT');
      expect(await store.read('exp_e.zip')).toBeNull();
    });
  });

  it('Listing a prefix returns its files with sizes and times', async () => {
    const names = ['list/a.zip', 'list/b.zip', 'list/c/a.zip', 'list/c/b.zip', 'list-d.zip'];
    for (const name of names) await store.put(name, workshop.file(name));
    expect(await namesIn(store, 'list')).toEqual([...names].sort());
    expect(await namesIn(store, 'list/')).toEqual(names.slice(0, 4));
    expect(await namesIn(store, 'list/c/b')).toEqual(['list/c/b.zip']);
    expect(await namesIn(store, 'nothing/')).toEqual([]);
    for await (const { name, bytes, modifiedAt } of store.list('list')) {
      expect(bytes).toBe(name.length);
      expect(Math.abs(Date.now() - modifiedAt)).toBeLessThan(3_600_000);
      expect(modifiedAt).toBe(Math.floor(modifiedAt));
    }
  });

  it.for(REFUSED)('The name %j is refused', async (name) => {
    const refusal = { name: 'FileStoreError', problem: 'name' };
    await expect(store.put(name, workshop.file('a'))).rejects.toMatchObject(refusal);
    await expect(store.read(name)).rejects.toMatchObject(refusal);
    await expect(store.delete(name)).rejects.toMatchObject(refusal);
  });

  it.for(['..', '../', '/', 'a/../', '.'])('The prefix %j is refused', async (prefix) => {
    const refusal = { name: 'FileStoreError', problem: 'name' };
    await expect(namesIn(store, prefix)).rejects.toMatchObject(refusal);
  });
}
