import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompressSync } from 'node:zlib';
import { Type } from 'typebox';
import { Parse } from 'typebox/value';
import { findPostgres } from '../../support/postgres-install.js';

/** What earlier releases wrote: fixtures/README.md says how it was made. */
export const FIXTURES = ['first', 'middle'] as const;
export type Fixture = (typeof FIXTURES)[number];

const Chain = Type.Object({
  ledger: Type.String(),
  mode: Type.Enum(['live', 'test']),
  chain: Type.Enum(['decisions', 'activity']),
  head: Type.Object({ seq: Type.Integer(), hash: Type.String() }),
  erased_fields: Type.Optional(Type.Integer()),
});

/** What the release that wrote it said about it. */
const Recorded = Type.Object({
  keys: Type.Object({ live: Type.String(), test: Type.String() }),
  master_key: Type.Optional(Type.String()),
  verified: Type.Object({ is_valid: Type.Literal(true), chains: Type.Array(Chain) }),
});

const fileOf = (fixture: Fixture, name: string) =>
  resolve(import.meta.dirname, '../fixtures', fixture, name);

export function recordedOf(fixture: Fixture, engine: 'embedded' | 'postgres') {
  return Parse(Recorded, JSON.parse(readFileSync(fileOf(fixture, `${engine}.json`), 'utf8')));
}

/** The bundle that an earlier release exported. */
export const FORMER_BUNDLE = fileOf('middle', 'bundle.zip');

/** Unpacks the data folder that an earlier release wrote. */
export function unpackFolder(fixture: Fixture, dataDir: string): void {
  mkdirSync(dataDir, { mode: 0o700 });
  const input = brotliDecompressSync(readFileSync(fileOf(fixture, 'embedded.tar.br')));
  execFileSync('tar', ['-xf', '-', '-C', dataDir], { input });
}

/** Loads the dump of a database that an earlier release wrote. */
export function loadDump(fixture: Fixture, url: string): void {
  const input = brotliDecompressSync(readFileSync(fileOf(fixture, 'postgres.sql.br')));
  const args = ['--quiet', '--no-psqlrc', '-v', 'ON_ERROR_STOP=1', url];
  execFileSync(toolOf('psql'), args, { input, stdio: ['pipe', 'ignore', 'inherit'] });
}

/** Runs a client program of PostgreSQL, while this process goes on. */
export async function runTool(name: string, args: readonly string[]): Promise<void> {
  await promisify(execFile)(toolOf(name), args);
}

function toolOf(name: string): string {
  const found = findPostgres();
  if ('reason' in found) throw new Error(found.reason);
  return join(found.binaries, name);
}
