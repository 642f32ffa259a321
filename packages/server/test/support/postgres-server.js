// @ts-check
// JavaScript, because benchmarks run it without a compiler.
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from './free-port.js';
import { findPostgres, unprivilegedAccount } from './postgres-install.js';
import { SEARCH_PATH } from './postgres-names.js';

const PATIENCE_MS = 60_000;

/**
 * What another process needs to use, kill and start the same server: see attachPostgres.
 * @typedef {{
 *   folder: string, binaries: string, version: string, port: number, settings: Record<string, string>,
 *   workers?: number[], base?: string
 * }} PostgresHandle workers: the ports of the other nodes of a cluster; base: what its new databases are copied from
 */

/** @typedef {{ name: string, url: string, drop: () => Promise<void> }} TestDatabase */

/**
 * Starts a server with the durability of its defaults, in a new folder and on a free port of the loopback
 * address. It is stopped and removed when this process ends, in whatever way that happens.
 * @param {{
 *   settings?: Record<string, string>, parent?: string | undefined, found?: ReturnType<typeof findPostgres>
 * }} [options]
 *   settings: such as { max_connections: '200' }; parent: the folder of the new one; found: other programs than all tests use
 */
export async function startPostgres({
  settings = {},
  parent = tmpdir(),
  found = findPostgres(),
} = {}) {
  if ('reason' in found) throw new Error(`PostgreSQL cannot be started: ${found.reason}`);
  const folder = mkdtempSync(join(parent, 'decision-ledger-pg-'));
  const server = new PostgresServer({ ...found, folder, port: await freePort(), settings });
  server.superviseFromNow();
  try {
    server.initialise();
    await startOnFreePort(server);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return server;
}

const PORT_TRIES = 5;

/**
 * Between the look for a free port and the start, another process may have taken it.
 * @param {PostgresServer} server
 */
async function startOnFreePort(server) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await server.start();
    } catch (error) {
      if (tries === PORT_TRIES || !/could not bind/.test(String(error))) throw error;
      server.handle = { ...server.handle, port: await freePort() };
    }
  }
}

/**
 * The server that another process started and will stop.
 * @param {PostgresHandle} handle
 */
export function attachPostgres(handle) {
  return new PostgresServer(handle);
}

export class PostgresServer {
  #account = unprivilegedAccount();
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #supervisor;

  /** @param {PostgresHandle} handle */
  constructor(handle) {
    this.handle = handle;
    this.data = join(handle.folder, 'data');
  }

  /** Over loopback TCP, as the superuser, to the maintenance database. */
  get url() {
    return `postgres://postgres@127.0.0.1:${this.handle.port}/postgres`;
  }

  /** The same over the Unix socket. */
  get socketUrl() {
    const { folder, port } = this.handle;
    return `postgres://postgres@/postgres?host=${encodeURIComponent(folder)}&port=${port}`;
  }

  initialise() {
    const { folder, binaries } = this.handle;
    if (this.#account !== undefined) chownSync(folder, this.#account.uid, this.#account.gid);
    const flags = ['--username=postgres', '--auth=trust', '--encoding=UTF8', '--no-locale'];
    execFileSync(join(binaries, 'initdb'), ['-D', this.data, ...flags], this.#spawnOptions('pipe'));
  }

  async start() {
    const { folder, binaries, port, settings } = this.handle;
    const all = {
      port: String(port),
      listen_addresses: '127.0.0.1',
      unix_socket_directories: folder,
      search_path: SEARCH_PATH,
      ...settings,
    };
    const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const log = openSync(this.#logFile, 'a');
    const child = spawn(join(binaries, 'postgres'), ['-D', this.data, ...flags], {
      ...this.#spawnOptions(log),
      // A group of its own: Ctrl-C is for the tests, and the supervisor stops the server after them.
      detached: true,
    });
    closeSync(log);
    child.unref();
    /** @type {string | undefined} */
    let failure;
    child.once('error', (error) => {
      failure = error.message;
    });
    child.once('exit', (code) => {
      failure = `it ended with code ${code}`;
    });
    await until(
      async () => {
        if (failure !== undefined)
          throw new Error(this.#withLog(`PostgreSQL did not start, ${failure}`));
        return this.#answers();
      },
      this.#withLog.bind(this, 'PostgreSQL does not answer'),
    );
  }

  /** An immediate shutdown, like a crash: no checkpoint, every connection cut. */
  async kill() {
    const pid = this.#pid();
    if (pid === undefined) return;
    signal(pid, 'SIGQUIT');
    // The file goes with the server; its process may linger unreaped when another process was its parent.
    await until(
      () => this.#pid() === undefined,
      this.#withLog.bind(this, 'PostgreSQL does not stop'),
    );
  }

  /** Kills every process of the server at once with SIGKILL, as the end of its machine would. */
  async killAll() {
    const pid = this.#pid();
    if (pid === undefined) return;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
    const all = [pid, ...children.map(Number)];
    for (const one of all) signal(one, 'SIGKILL');
    await until(
      () => !all.some((one) => signal(one, 0)),
      this.#withLog.bind(this, 'PostgreSQL does not end'),
    );
  }

  /** kill() and start(): the same port, and what was committed. */
  async restart() {
    await this.kill();
    await this.start();
  }

  /** Stops the server and removes everything. */
  async stop() {
    await this.kill();
    rmSync(this.handle.folder, { recursive: true, force: true });
    this.#supervisor?.stdin?.end();
  }

  /**
   * A new database: empty, or a copy of `template`, to which nobody may be connected at that moment.
   * @param {string} [template]
   * @returns {Promise<TestDatabase>}
   */
  async createDatabase(template = this.handle.base) {
    const name = `test_${randomBytes(8).toString('hex')}`;
    const { workers } = this.handle;
    for (const node of this.#nodeUrls) {
      await (workers === undefined ? createOn : createOnNode)(node, name, template);
    }
    const url = this.url.replace(/postgres$/, name);
    const drop = async () => {
      for (const node of this.#nodeUrls) {
        await runOn(node, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      }
    };
    return { name, url, drop };
  }

  /** Of a cluster, the coordinator is first. */
  get #nodeUrls() {
    const { port, workers = [] } = this.handle;
    return [port, ...workers].map((one) => `postgres://postgres@127.0.0.1:${one}/postgres`);
  }

  /**
   * No handler in this process can run after a kill -9. So a shell waits for the end of its input, which comes
   * when this process is gone, and then stops the server and removes the folder.
   */
  superviseFromNow() {
    const script = `
      read -r _
      pid=$(head -n 1 "$1/data/postmaster.pid" 2>/dev/null) && kill -QUIT "$pid" 2>/dev/null
      n=0
      while [ -e "$1/data/postmaster.pid" ] && [ $n -lt 100 ]; do n=$((n+1)); sleep 0.1; done
      rm -rf "$1"`;
    const supervisor = spawn('sh', ['-c', script, 'sh', this.handle.folder], {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    });
    supervisor.unref();
    /** @type {import('node:net').Socket} */ (/** @type {unknown} */ (supervisor.stdin)).unref();
    this.#supervisor = supervisor;
  }

  async #answers() {
    try {
      await runOn(this.url, 'SELECT 1');
      return true;
    } catch {
      return false;
    }
  }

  #pid() {
    try {
      const [line] = readFileSync(join(this.data, 'postmaster.pid'), 'utf8').split('\n');
      return line && signal(Number(line), 0) ? Number(line) : undefined;
    } catch {
      return undefined;
    }
  }

  /** @param {'pipe' | number} errors */
  #spawnOptions(errors) {
    return {
      ...this.#account,
      cwd: this.handle.folder,
      // Nothing of the caller's PG… variables, which would lead elsewhere.
      env: { PATH: process.env.PATH },
      stdio: /** @type {import('node:child_process').StdioOptions} */ ([
        'ignore',
        'ignore',
        errors,
      ]),
    };
  }

  get #logFile() {
    return join(this.handle.folder, 'server.log');
  }

  /** @param {string} message */
  #withLog(message) {
    return `${message}:\n${readFileSync(this.#logFile, 'utf8').slice(-5000)}`;
  }
}

/**
 * @param {string} url
 * @param {string} name
 * @param {string | undefined} template
 */
async function createOn(url, name, template) {
  const source = template === undefined ? '' : ` TEMPLATE ${pg.escapeIdentifier(template)}`;
  await runOn(url, `CREATE DATABASE ${name}${source}`);
}

/**
 * @param {string} url
 * @param {string} name
 * @param {string | undefined} template
 */
async function createOnNode(url, name, template) {
  if (template === undefined) {
    await createOn(url, name, template);
    return;
  }
  // The processes of a cluster stay connected to each database, and come back.
  const source = pg.escapeIdentifier(template);
  await runOn(url, `ALTER DATABASE ${source} ALLOW_CONNECTIONS false`);
  const others = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${template}'`;
  try {
    for (let tries = CREATE_TRIES; ; tries -= 1) {
      await runOn(url, others);
      const failure = await createOn(url, name, template).then(
        () => null,
        (/** @type {unknown} */ error) => error,
      );
      if (failure === null) return;
      if (tries === 0 || !/being accessed by other users/.test(String(failure))) throw failure;
    }
  } finally {
    await runOn(url, `ALTER DATABASE ${source} ALLOW_CONNECTIONS true`);
  }
}

const CREATE_TRIES = 3;

/**
 * @param {string} url
 * @param {string} statement
 */
export async function runOn(url, statement) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/**
 * @param {number} pid
 * @param {NodeJS.Signals | 0} name
 */
function signal(pid, name) {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

/**
 * @param {() => boolean | Promise<boolean>} condition
 * @param {() => string} explain
 */
async function until(condition, explain) {
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(explain());
    await sleep(20);
  }
}
