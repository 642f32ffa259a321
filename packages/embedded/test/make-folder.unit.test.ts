import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeFolder } from '@decision-ledger/embedded/make-folder';
import { afterEach, beforeEach, expect, it } from 'vitest';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'decision-ledger-folders-'));
});
afterEach(() => rmSync(root, { recursive: true }));

it('Folders are created for their user alone, and the uppermost one is named', () => {
  expect(makeFolder(join(root, 'a', 'b', 'c'))).toBe(join(root, 'a'));
  expect(statSync(join(root, 'a', 'b', 'c')).mode & 0o777).toBe(0o700);
});

it('An existing folder is left unchanged', () => {
  expect(makeFolder(root)).toBeUndefined();
});

it('A file in the way is an error', () => {
  writeFileSync(join(root, 'file'), '');
  expect(() => makeFolder(join(root, 'file'))).toThrow('EEXIST');
  expect(() => makeFolder(join(root, 'file', 'below'))).toThrow('ENOTDIR');
});

it.runIf(existsSync('/proc/self'))('A file system that refuses every folder is an error', () => {
  expect(() => makeFolder('/proc/decision-ledger/data')).toThrow(/ENOENT|EACCES/);
});
