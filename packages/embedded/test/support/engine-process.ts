import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { type EngineUser, engineClientConfig } from '@decision-ledger/embedded/connection';
import { startEngine } from '@decision-ledger/embedded/engine';
import pg from 'pg';

const PACKAGE = resolve(import.meta.dirname, '../..');

declare global {
  /** Of the test files that run in this process: to create a database takes longer than most tests. */
  var emptyDatabase: Promise<string> | undefined;
}

/** Creates a database in a folder that is there until this process ends. */
async function createDatabase(): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'engine-template-'));
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
  // The test runner ends its processes with a signal.
  process.once('SIGTERM', () => process.exit());
  await (await startEngine({ dataDir })).stop();
  return join(dataDir, 'pg');
}

/** Data folders of one test file. */
export class DataFolders {
  readonly #root = mkdtempSync(join(tmpdir(), 'engine-test-'));
  #template = '';
  #count = 0;

  /** A folder that does not exist yet. */
  absent(): string {
    this.#count += 1;
    return join(this.#root, `data-${this.#count}`);
  }

  /** Makes the database that `copy` copies. */
  async prepare(): Promise<void> {
    globalThis.emptyDatabase ??= createDatabase();
    this.#template = await globalThis.emptyDatabase;
  }

  /** A folder with an empty database. */
  copy(folder = this.absent()): string {
    cpSync(this.#template, join(folder, 'pg'), { recursive: true });
    return folder;
  }

  remove(): void {
    rmSync(this.#root, { recursive: true, force: true });
  }
}

export async function connect(
  socketPath: string,
  user: EngineUser = 'postgres',
  extra: pg.ClientConfig = {},
): Promise<pg.Client> {
  const client = new pg.Client({ ...engineClientConfig(socketPath, user), ...extra });
  // The error that ends a connection also rejects its queries.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** A Node process that runs the script; its lines can be awaited one by one. */
export class Child {
  readonly process: ChildProcess;
  readonly exited: Promise<number | null>;
  readonly #lines: AsyncIterableIterator<string>;

  constructor(script: string, ...args: string[]) {
    // As in `run.js`, which these do not run.
    const flags = ['--wasm-tiering-budget=300000000', '--input-type=module'];
    this.process = spawn(process.execPath, [...flags, '-e', script, ...args], {
      cwd: PACKAGE,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.exited = new Promise((done) => this.process.once('exit', (code) => done(code)));
    const { stdout } = this.process;
    if (stdout === null) throw new Error('the child has no output');
    this.#lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  }

  /** All lines, to the end. */
  lines(): AsyncIterableIterator<string> {
    return this.#lines;
  }

  async line(): Promise<string> {
    const next = await this.#lines.next();
    if (next.done === true) throw new Error('the child ended without a word');
    return next.value;
  }

  async kill(): Promise<void> {
    this.process.kill('SIGKILL');
    await this.exited;
  }
}
