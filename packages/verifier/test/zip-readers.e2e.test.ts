import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pack } from './support/bundle.js';
import { draftOf } from './support/draft.js';
import { filesIn } from './support/files-in.js';
import { fullStory } from './support/samples.js';

const folder = mkdtempSync(join(tmpdir(), 'decision-ledger-readers-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, 'bundle.zip');
const PROGRAMS = fileURLToPath(new URL('support/readers/', import.meta.url));

/** Programs that print a line for each file: its SHA-256 and its name. */
const PRINTING = {
  'the stream of Java': ['java', join(PROGRAMS, 'Read.java'), path],
  Python: ['python3', join(PROGRAMS, 'read.py'), path],
} as const;

/** Programs that unpack into a folder. */
const UNPACKING = {
  unzip: (to: string) => ['unzip', '-q', path, '-d', to],
  bsdtar: (to: string) => ['bsdtar', '-x', '-f', path, '-C', to],
  '7z': (to: string) => ['7z', 'x', '-bd', `-o${to}`, path],
} as const;

const digestOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** @returns what the program prints; null if it is not here */
function run([program = '', ...args]: readonly string[]): string | null {
  const { error, status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (error !== undefined) return null;
  expect({ status, stderr }).toMatchObject({ status: 0 });
  return stdout;
}

describe('Programs that read ZIP archives', () => {
  let expected: string[];
  beforeAll(async () => {
    const zip = await pack(draftOf(fullStory()));
    writeFileSync(path, zip);
    expected = (await filesIn(zip)).map(([name, bytes]) => `${digestOf(bytes)} ${name}`).sort();
  });

  it.for(Object.entries(PRINTING))('A bundle is read by %s', ([, command], { skip }) => {
    const printed = run(command) ?? skip(`${command[0]} is not here`);
    expect(printed.trim().split('\n').sort()).toEqual(expected);
  });

  it.for(Object.entries(UNPACKING))(
    'A bundle is unpacked by %s',
    ([name, commandFor], { skip }) => {
      const to = mkdtempSync(join(folder, 'unpacked-'));
      if (run(commandFor(to)) === null) skip(`${name} is not here`);
      const found = readdirSync(to).map(
        (file) => `${digestOf(readFileSync(join(to, file)))} ${file}`,
      );
      expect(found.sort()).toEqual(expected);
    },
  );
});
