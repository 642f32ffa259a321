import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { verdictsIn } from '@decision-ledger/verifier/report/report';
import { describe, expect, test } from 'vitest';
import { check } from './support/check.js';
import { filesIn } from './support/files-in.js';
import { GOLDEN } from './support/golden.js';
import { testKey } from './support/keys.js';

const FOLDER = new URL('../../../vectors/bundles/', import.meta.url);
const EXPECTED = new URL('expected.json', FOLDER);
const { fingerprint } = testKey('first');

interface Expected {
  readonly key_fingerprint: string;
  readonly bundles: readonly {
    readonly file: string;
    readonly about: string;
    readonly previous?: string;
    readonly verdicts: object;
  }[];
}

/** Existing bundles stay unchanged; missing ones are written if this variable is set. */
if (process.env.WRITE_VECTORS === '1') await writeMissing();

function read(file: string): Buffer {
  return readFileSync(new URL(file, FOLDER));
}

const expected: Expected = JSON.parse(String(read('expected.json')));

describe('Golden bundles', () => {
  test('The golden bundles are exactly the listed ones', () => {
    const files = readdirSync(FOLDER).filter((name) => name.endsWith('.zip'));
    expect(files.sort()).toEqual(expected.bundles.map(({ file }) => file).sort());
    expect(GOLDEN.map(({ file }) => file)).toEqual(expected.bundles.map(({ file }) => file));
  });

  test.each(expected.bundles)('The bundle $file keeps its verdicts: $about', async (bundle) => {
    const previous = bundle.previous === undefined ? undefined : read(bundle.previous);
    expect(await verdictsOf(read(bundle.file), previous)).toEqual(bundle.verdicts);
  });

  test.each(GOLDEN)(
    'The files of $file can be made again byte for byte',
    async ({ file, make }) => {
      // How they are compressed varies with the version of zlib.
      expect(await filesIn(await make())).toEqual(await filesIn(read(file)));
    },
  );
});

async function verdictsOf(zip: Buffer, previous?: Buffer): Promise<object> {
  const options = { keyFingerprint: expected.key_fingerprint, ...(previous && { previous }) };
  return Object.fromEntries(
    verdictsIn(await check(zip, options)).map(([name, { verdict, findings }]) => [
      name,
      { verdict, codes: findings.map(({ code }) => code) },
    ]),
  );
}

async function writeMissing(): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  for (const { file, make } of GOLDEN) {
    if (!existsSync(new URL(file, FOLDER))) writeFileSync(new URL(file, FOLDER), await make());
  }
  if (existsSync(EXPECTED)) return;
  const bundles = GOLDEN.map(({ file, about, previous }) => ({
    file,
    about,
    ...(previous && { previous }),
    verdicts: {},
  }));
  writeFileSync(
    EXPECTED,
    `${JSON.stringify({ key_fingerprint: fingerprint, bundles }, null, 2)}\n`,
  );
}
