import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startEngine } from '@decision-ledger/embedded/engine';
import { readControl } from '@decision-ledger/embedded/inspect/control-file';
import { checkLog } from '@decision-ledger/embedded/inspect/log';
import { checkPages, describeDamage } from '@decision-ledger/embedded/inspect/pages';
import { readRelations } from '@decision-ledger/embedded/inspect/relations';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Child, connect, DataFolders } from './support/engine-process.js';

const PAGE_BYTES = 8192;

/** Commits rows one by one until it is killed. */
const WRITE = `
import pg from 'pg';
import { startEngine } from '@decision-ledger/embedded/engine';
import { engineClientConfig } from '@decision-ledger/embedded/connection';
const engine = await startEngine({ dataDir: process.argv[1] });
const client = new pg.Client(engineClientConfig(engine.socketPath, 'postgres'));
await client.connect();
await client.query('create table written (id int primary key, text text)');
for (let id = 0; ; id += 1) {
  await client.query('insert into written values ($1::int, repeat(md5($1::int::text), 90))', [id]);
  process.stdout.write(id + '\\n');
}
`;

const folders = new DataFolders();
beforeAll(() => folders.prepare());
afterAll(() => folders.remove());

async function withTable(): Promise<string> {
  const dataDir = folders.copy();
  const engine = await startEngine({ dataDir });
  const client = await connect(engine.socketPath);
  await client.query(
    'create table notes as select n, repeat(md5(n::text), 60) as text from generate_series(1, 200) n',
  );
  await client.query('create index notes_by_number on notes (n)');
  await client.end();
  await engine.stop();
  return join(dataDir, 'pg');
}

function fileOf(database: string, name: string): string {
  const [file] = readRelations(database).find((each) => each.name === name)?.files ?? [];
  return join(database, 'base/5', String(file));
}

function flipBit(file: string, at: number): void {
  const bytes = readFileSync(file);
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
  writeFileSync(file, bytes);
}

describe('Pages', () => {
  it('The engine keeps checksums, and every page of a new database agrees with them', async () => {
    const dataDir = folders.copy();
    const engine = await startEngine({ dataDir });
    const client = await connect(engine.socketPath);
    expect((await client.query('show data_checksums')).rows).toEqual([{ data_checksums: 'on' }]);
    await client.end();
    await engine.stop();
    expect(readControl(join(dataDir, 'pg'))).toMatchObject({
      hasChecksums: true,
      isShutDown: true,
    });
    const { pages, damaged } = await checkPages(join(dataDir, 'pg'));
    expect(pages).toBeGreaterThan(1000);
    expect(damaged).toEqual([]);
  });

  it('A single changed bit anywhere in a page is found, and its table or index named', async () => {
    const database = await withTable();
    expect((await checkPages(database)).damaged).toEqual([]);
    const offsets = [0, 9, 20, 4000, PAGE_BYTES - 1];
    // One bit of a page each, so that one look at the whole database finds them all.
    for (const [at, offset] of offsets.entries()) {
      flipBit(fileOf(database, 'notes'), (at + 1) * PAGE_BYTES + offset);
    }
    flipBit(fileOf(database, 'notes_by_number'), PAGE_BYTES + 20);
    const { damaged } = await checkPages(database);
    const byName = damaged.toSorted((a, b) => String(a.relation).localeCompare(String(b.relation)));
    expect(byName).toMatchObject([
      { relation: 'notes', pages: [1, 2, 3, 4, 5], problem: 'pages' },
      { relation: 'notes_by_number', pages: [1], problem: 'pages' },
    ]);
  });

  it('A page in the place of another, half a page and a missing file are found', async () => {
    const database = await withTable();
    const file = fileOf(database, 'notes');
    const bytes = readFileSync(file);
    const swapped = Buffer.concat([
      bytes.subarray(PAGE_BYTES, 2 * PAGE_BYTES),
      bytes.subarray(PAGE_BYTES),
    ]);
    writeFileSync(file, swapped);
    expect((await checkPages(database)).damaged).toMatchObject([{ relation: 'notes', pages: [0] }]);
    writeFileSync(file, bytes.subarray(0, bytes.length - 100));
    const last = statSync(file).size / PAGE_BYTES;
    expect((await checkPages(database)).damaged).toMatchObject([{ pages: [Math.floor(last)] }]);
    rmSync(file);
    const { damaged } = await checkPages(database);
    expect(damaged.map(describeDamage)).toEqual([
      expect.stringMatching(/^the file base\/5\/\d+ \(notes\) is missing$/),
    ]);
  });
});

describe('The write-ahead log', () => {
  it('Damage before committed records refuses a start; the same after the last one is its end', async () => {
    const dataDir = folders.copy();
    const child = new Child(WRITE, dataDir);
    while (Number(await child.line()) < 60);
    await child.kill();
    const database = join(dataDir, 'pg');
    const control = readControl(database);
    if (control === null) throw new Error('the control file cannot be read');
    expect(control.isShutDown).toBe(false);
    expect(checkLog(database, control)).toMatchObject({ damage: null });
    const [name = ''] = readdirSync(join(database, 'pg_wal')).filter((each) =>
      /^[0-9A-F]{24}$/.test(each),
    );
    const file = join(database, 'pg_wal', name);
    const bytes = readFileSync(file);
    const end = bytes.findLastIndex((byte) => byte !== 0);
    const changed = Buffer.from(bytes);
    const middle = end - 20 * PAGE_BYTES;
    changed.writeUInt8(changed.readUInt8(middle) ^ 1, middle);
    writeFileSync(file, changed);
    expect(checkLog(database, control).damage).toMatch(
      /^the record at 0\/[0-9A-F]+: transactions after/,
    );
    await expect(startEngine({ dataDir })).rejects.toMatchObject({ code: 'damaged' });
    // A power cut leaves an incomplete record at the end, which nobody was told to be kept.
    const cut = Buffer.from(bytes).fill(0, end - 40);
    writeFileSync(file, cut);
    expect(checkLog(database, control).damage).toBeNull();
    await (await startEngine({ dataDir })).stop();
  });
});
