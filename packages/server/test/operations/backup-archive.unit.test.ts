import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, expect, it } from 'vitest';
import { ZipFile } from 'yazl';
import { findFiles, isPartOfDatabase } from '#server/backup/database-files';
import { FORMAT, type Manifest } from '#server/backup/manifest';
import { openBackup } from '#server/backup/read-archive';
import { ArchiveWriter } from '#server/backup/write-archive';

const folder = mkdtempSync(join(tmpdir(), 'decision-ledger-archive-'));
afterAll(() => rmSync(folder, { recursive: true }));

const LONG = Buffer.alloc(300_000, 'the content of a table, ');
const CONTENTS: Readonly<Record<string, Buffer>> = {
  'pg/PG_VERSION': Buffer.from('18\n'),
  'pg/base/5/1259': LONG,
  'master.key': Buffer.from('a key'),
};

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

function manifestOf(contents: Readonly<Record<string, Buffer>>, changes: object = {}): Manifest {
  const files = Object.entries(contents).map(([name, bytes]) => ({
    ...{ name, bytes: bytes.length, sha256: sha256(bytes) },
  }));
  return {
    ...{ format: FORMAT, product_version: '0.1.0', migration: 1, has_master_key: true },
    ...{ made_at: '2026-04-16T09:30:00.000Z', ledgers: [], folders: ['pg', 'pg/pg_notify'], files },
    ...changes,
  };
}

/** An archive with any entries and any manifest. */
async function archive(
  name: string,
  contents: readonly (readonly [string, Buffer])[],
  manifest: unknown,
): Promise<string> {
  const zip = new ZipFile();
  for (const [entry, bytes] of contents) zip.addBuffer(bytes, entry);
  zip.addBuffer(Buffer.from(JSON.stringify(manifest)), 'manifest.json');
  zip.end();
  const path = join(folder, `${name}.zip`);
  writeFileSync(path, await buffer(zip.outputStream));
  return path;
}

const whole = (name: string, contents = CONTENTS, changes: object = {}) =>
  archive(name, Object.entries(contents), manifestOf(contents, changes));

/** What a restore does with the archive, into a folder of its own. */
async function unpack(path: string): Promise<string> {
  const target = join(mkdtempSync(join(folder, 'unpacked-')), 'data');
  const opened = await openBackup(path);
  try {
    await opened.extract(target, () => undefined);
  } finally {
    await opened.close();
  }
  return target;
}

/** The name of an entry in an archive, replaced by another of the same length at every place. */
function renamed(path: string, from: string, to: string): string {
  const bytes = readFileSync(path);
  for (let at = bytes.indexOf(from); at >= 0; at = bytes.indexOf(from, at + 1)) bytes.write(to, at);
  const changed = `${path}.renamed.zip`;
  writeFileSync(changed, bytes);
  return changed;
}

it('What the writer packs, the reader unpacks, with empty folders', async () => {
  const writer = new ArchiveWriter(new Date());
  const read = buffer(writer.stream);
  for (const [name, bytes] of Object.entries(CONTENTS)) {
    await writer.add(
      name,
      (async function* () {
        yield bytes.subarray(0, 2);
        yield bytes.subarray(2);
      })(),
    );
  }
  expect(writer.files).toEqual(manifestOf(CONTENTS).files);
  writer.finish(manifestOf(CONTENTS));
  const path = join(folder, 'written.zip');
  writeFileSync(path, await read);
  const target = await unpack(path);
  for (const [name, bytes] of Object.entries(CONTENTS)) {
    expect(readFileSync(join(target, name))).toEqual(bytes);
  }
  expect(readdirSync(join(target, 'pg/pg_notify'))).toEqual([]);
});

it('An archive that was cut short anywhere is refused', async () => {
  const bytes = readFileSync(await whole('long'));
  const path = join(folder, 'cut.zip');
  for (const part of [0, 0.1, 0.5, 0.9, 0.999]) {
    writeFileSync(path, bytes.subarray(0, Math.floor(bytes.length * part)));
    await expect(unpack(path)).rejects.toThrow(/is not a (whole )?backup/);
  }
});

it('A changed byte of any file is found', async () => {
  const path = await archive('changed', Object.entries(CONTENTS), {
    ...manifestOf({ ...CONTENTS, 'pg/PG_VERSION': Buffer.from('17\n') }),
  });
  await expect(unpack(path)).rejects.toThrow('pg/PG_VERSION in the backup was altered');
  const bytes = readFileSync(await whole('flipped'));
  const at = bytes.indexOf('pg/base/5/1259') + 200;
  bytes.writeUInt8(bytes.readUInt8(at) ^ 0x55, at);
  writeFileSync(path, bytes);
  await expect(unpack(path)).rejects.toThrow('pg/base/5/1259 in the backup');
});

it('A manifest that does not have its CRC-32 is refused', async () => {
  const path = await whole('checked');
  const bytes = readFileSync(path);
  // How far before the name the CRC-32 is in both headers: APPNOTE.TXT, sections 4.3.7 and 4.3.12.
  const places = [bytes.indexOf('manifest.json') - 16, bytes.lastIndexOf('manifest.json') - 30];
  for (const at of places) bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
  writeFileSync(path, bytes);
  await expect(openBackup(path)).rejects.toThrow(/manifest.json of .* cannot be read.*CRC-32/);
});

it.for([
  '../outside',
  '/etc/passwd',
  'pg/../../outside',
  'pg/.hidden',
  'pg\\outside',
  'C:/outside',
  'keys.json',
  'lock.1',
  'signed/note',
  'pg',
  'pg/a//b',
  `pg/${'a'.repeat(200)}`,
])('A file with the name %s is refused before anything is written', async (name) => {
  const files = [{ name, bytes: 1, sha256: sha256(Buffer.from('x')) }];
  const path = await archive('named', [], manifestOf({}, { files }));
  await expect(openBackup(path)).rejects.toThrow('which is not a part of one');
  const folders = await archive('folder', [], manifestOf({}, { folders: [`${name}/`] }));
  await expect(openBackup(folders)).rejects.toThrow('which is not a part of one');
});

it('Names that lead out of the folder in the directory of the archive are refused', async () => {
  const path = renamed(await whole('escaping'), 'pg/PG_VERSION', '../../../PG_VER');
  await expect(unpack(path)).rejects.toThrow(/is not a (whole )?backup|is missing/);
  expect(existsSync(join(folder, 'PG_VER'))).toBe(false);
});

it('Two files of one name, also in another case, are refused', async () => {
  const [file] = manifestOf(CONTENTS).files;
  const twice = await archive('twice', Object.entries(CONTENTS), {
    ...manifestOf(CONTENTS),
    files: [...manifestOf(CONTENTS).files, { ...file, name: 'pg/pg_version' }],
  });
  await expect(openBackup(twice)).rejects.toThrow('names "pg/pg_version" twice');
  const entries = Object.entries(CONTENTS);
  const doubled = await archive(
    'doubled',
    [...entries, ['pg/PG_VERSION', LONG]],
    manifestOf(CONTENTS),
  );
  await expect(openBackup(doubled)).rejects.toThrow('"pg/PG_VERSION" is in it twice');
});

it('Files that the manifest does not list, and listed ones that are missing, are refused', async () => {
  const more = await archive(
    'more',
    [...Object.entries(CONTENTS), ['pg/more', LONG]],
    manifestOf(CONTENTS),
  );
  await expect(openBackup(more)).rejects.toThrow('holds files that its manifest does not list');
  const fewer = await archive('fewer', Object.entries(CONTENTS).slice(1), manifestOf(CONTENTS));
  await expect(openBackup(fewer)).rejects.toThrow('pg/PG_VERSION is missing');
  const other = { ...CONTENTS, 'pg/PG_VERSION': LONG };
  const longer = await archive('longer', Object.entries(other), manifestOf(CONTENTS));
  await expect(openBackup(longer)).rejects.toThrow('has 300000 bytes instead of 3');
});

it.for([
  [300_000, 1000],
  [300_000, 290_000],
  [200_000, 1000],
] as const)(
  'An entry that unpacks to more than it states is stopped there: %i bytes instead of %i',
  async ([actual, stated]) => {
    const [size, lie] = [Buffer.alloc(4), Buffer.alloc(4)];
    size.writeUInt32LE(actual);
    lie.writeUInt32LE(stated);
    const contents = { ...CONTENTS, 'pg/base/5/1259': LONG.subarray(0, actual) };
    const files = manifestOf(contents).files.map((file) =>
      file.bytes === actual ? { ...file, bytes: stated } : file,
    );
    // Directory and manifest agree on a size that is too small.
    const lying = await archive(
      `lying-${actual}-${stated}`,
      Object.entries(contents),
      manifestOf(contents, { files }),
    );
    const bytes = readFileSync(lying);
    for (let at = bytes.indexOf(size); at >= 0; at = bytes.indexOf(size, at + 1))
      lie.copy(bytes, at);
    writeFileSync(lying, bytes);
    await expect(unpack(lying)).rejects.toThrow('pg/base/5/1259 in the backup cannot be unpacked');
  },
);

it('A manifest of another format, and text that is none, are refused', async () => {
  const later = await whole('later', CONTENTS, { format: 'decision-ledger-backup/v2' });
  await expect(openBackup(later)).rejects.toThrow(
    'the backup has the format "decision-ledger-backup/v2", and this release reads',
  );
  const wrong = await whole('wrong', CONTENTS, { migration: 'one' });
  await expect(openBackup(wrong)).rejects.toThrow('manifest.json of the backup is not valid');
  const path = join(folder, 'text.zip');
  writeFileSync(path, 'not an archive');
  await expect(openBackup(path)).rejects.toThrow('is not a whole backup');
  await expect(openBackup(join(folder, 'none.zip'))).rejects.toThrow('cannot be read');
});

it('A copy leaves out what PostgreSQL makes again, and the log, which is copied last', async () => {
  const parts = [
    'base/5/1259',
    'base/5/1259_vm',
    'base/5/16384.1',
    'global/pg_control',
    'pg_xact/0000',
  ];
  const others = [
    ...['pg_wal/000000010000000000000001', 'pg_internal.init', 'base/5/pg_internal.init'],
    ...['base/pgsql_tmp/pgsql_tmp1.0', 'base/5/t3_16384', 'postmaster.pid', 'pg_notify/0000'],
  ];
  expect([...parts, ...others].filter(isPartOfDatabase)).toEqual(parts);
  expect(await findFiles(join(folder, 'no such folder'))).toEqual({ folders: [], files: [] });
});
