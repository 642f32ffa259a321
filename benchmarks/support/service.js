import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { inRepository, NODE_FLAGS, run, startServer } from './children.js';
import { createHere } from './organisations.js';
import { postgresCpuSeconds } from './postgres-usage.js';

export const PROGRAM = inRepository('packages/server/bin/decision-ledger.js');
const MAX_RATE = 1_000_000;
const MAX_CONNECTIONS = 100_000;

/** @typedef {Awaited<ReturnType<typeof startOnPostgres>>} Service */

/**
 * The service on a new database.
 * @param {import('../../packages/server/test/support/postgres-server.js').PostgresServer} postgres
 * @param {{ nodeFlags?: readonly string[], settings?: NodeJS.ProcessEnv, program?: string }} [options]
 *   settings: environment variables; program: of another build
 */
export async function startOnPostgres(
  postgres,
  { nodeFlags = [], settings = {}, program = PROGRAM } = {},
) {
  const database = await postgres.createDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'decision-ledger-bench-'));
  const forget = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', forget);
  const env = {
    ...commonEnvironment(),
    LEDGER_DATA_DIR: folder,
    DATABASE_URL: database.url,
    LEDGER_MASTER_KEY: randomBytes(32).toString('base64'),
  };
  const flags = [...NODE_FLAGS, ...nodeFlags];
  const server = await startServer([...flags, program, 'serve'], { ...env, ...settings });
  return {
    ...server,
    databaseUrl: database.url,
    /** Of another process on the same database. */
    environment: env,
    /** @param {NodeJS.ProcessEnv} other environment of another process on the same database */
    async another(other) {
      const process = await startServer([...flags, program, 'serve'], { ...env, ...other });
      return { ...process, figures: () => readFigures(process.url, postgres) };
    },
    /** @param {string[]} args of the command line */
    command: (...args) => run(process.execPath, [program, ...args], env),
    figures: () => readFigures(server.url, postgres),
    /** @param {string} name */
    async createOrganisation(name) {
      const printed = await run(process.execPath, [program, 'org', 'create', name, '--json'], env);
      const { live } = JSON.parse(printed);
      await raiseLimits(server.url, live);
      return String(live);
    },
    async stop() {
      await server.stop();
      await database.drop();
      process.off('exit', forget);
      forget();
    },
  };
}

/**
 * The services of a run on one PostgreSQL server. With `isShared`, phases that ask for the same one get the same
 * process, database and organisations: a start takes far longer than a short measurement.
 * @param {() => import('../../packages/server/test/support/postgres-server.js').PostgresServer} postgres
 * @param {{ isShared: boolean, nodeFlags: readonly string[] }} how nodeFlags: of their processes
 */
export function openServices(postgres, { isShared, nodeFlags }) {
  /** @type {Map<string, { service: Service, shown: Service }>} */
  const running = new Map();
  return {
    /** @param {NodeJS.ProcessEnv} [settings] environment variables */
    async start(settings = {}) {
      const name = JSON.stringify(settings);
      const known = running.get(name);
      if (known !== undefined) return known.shown;
      if (!isShared) return startOnPostgres(postgres(), { nodeFlags, settings });
      // What one phase leaves for workers is not worked through during the next ones.
      const shared = { LEDGER_ROLE: 'api', ...settings };
      const service = await startOnPostgres(postgres(), { nodeFlags, settings: shared });
      const shown = sharedBy(service);
      running.set(name, { service, shown });
      return shown;
    },
    async stop() {
      for (const { service } of running.values()) await service.stop();
      running.clear();
    },
    /** After their processes were killed. */
    forget: () => running.clear(),
  };
}

/** @param {Service} service */
function sharedBy(service) {
  /** @type {Map<string, Promise<string>>} */
  const keys = new Map();
  const create = async (/** @type {string} */ name) => {
    const key = await createHere(service.environment, name);
    await raiseLimits(service.url, key);
    return key;
  };
  return {
    ...service,
    createOrganisation(/** @type {string} */ name) {
      const key = keys.get(name) ?? create(name);
      keys.set(name, key);
      return key;
    },
    stop: async () => undefined,
  };
}

/** A data folder that is removed at the latest when this process ends. */
export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'decision-ledger-bench-'));
  const forget = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', forget);
  return {
    path: folder,
    remove() {
      process.off('exit', forget);
      forget();
    },
  };
}

/**
 * The service on its embedded engine.
 * @param {string} folder
 * @param {string} [program] of another build
 */
export async function serveFolder(folder, program = PROGRAM) {
  const server = await startServer([...NODE_FLAGS, program, 'serve'], folderEnvironment(folder));
  return { ...server, figures: () => readFigures(server.url) };
}

/**
 * A command on a data folder.
 * @param {string} folder
 * @param {readonly string[]} args
 * @param {readonly string[]} [nodeFlags]
 */
export function commandOn(folder, args, nodeFlags = []) {
  return run(process.execPath, [...nodeFlags, PROGRAM, ...args], folderEnvironment(folder));
}

/** @param {string} folder */
export function folderEnvironment(folder) {
  return { ...commonEnvironment(), LEDGER_DATA_DIR: folder };
}

/**
 * The service on its embedded engine, with the default organisation.
 * @param {string} [program] of another build
 */
export async function startEmbedded(program = PROGRAM) {
  const folder = temporaryFolder();
  const server = await serveFolder(folder.path, program);
  const { live } = JSON.parse(readFileSync(join(folder.path, 'keys.json'), 'utf8'));
  await raiseLimits(server.url, live);
  return {
    ...server,
    key: String(live),
    async stop() {
      await server.stop();
      folder.remove();
    },
  };
}

/** Removes the caller's settings of the service. */
function commonEnvironment() {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(LEDGER_|PG|DATABASE_URL$)/.test(name),
  );
  return { ...Object.fromEntries(kept), LEDGER_PORT: '0', LEDGER_LOG_LEVEL: 'warn' };
}

/**
 * @param {string} url
 * @param {string} key
 */
export async function raiseLimits(url, key) {
  const rate_limits = {
    ingest_per_second: MAX_RATE,
    batch_per_second: MAX_RATE,
    read_per_second: MAX_RATE,
    exports_per_hour: MAX_RATE,
    handshakes_per_minute: MAX_RATE,
  };
  const stream = { max_connections: MAX_CONNECTIONS };
  const answer = await fetch(`${url}/api/v1/settings`, {
    method: 'PATCH',
    headers: { 'x-ledger-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ rate_limits, stream }),
  });
  if (!answer.ok) throw new Error(`the rate limits cannot be raised: ${await answer.text()}`);
}

/**
 * @param {string} url
 * @param {string} key
 * @returns {Promise<number>} the number of decisions of the ledger
 * @throws if their chain is broken
 */
export async function verifyDecisions(url, key) {
  const answer = await fetch(`${url}/api/v1/decisions/chain/verify`, {
    headers: { 'x-ledger-key': key },
  });
  const { data } = await answer.json();
  if (data?.is_valid === true) return data.records_checked;
  throw new Error(`the chain is not valid: ${answer.status} ${JSON.stringify(data)}`);
}

/**
 * Reads the metrics of the service, and the CPU time of its database.
 * @param {string} url
 * @param {Parameters<typeof postgresCpuSeconds>[0]} [postgres]
 */
async function readFigures(url, postgres) {
  const answer = await fetch(`${url}/metrics`);
  const text = await answer.text();
  const figure = (/** @type {string} */ name) => {
    const value = new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1];
    if (value === undefined) throw new Error(`/metrics has no ${name}`);
    return Number(value);
  };
  return {
    cpuSeconds: figure('process_cpu_seconds_total'),
    groups: figure('ledger_group_decisions_count'),
    decisions: figure('ledger_group_decisions_sum'),
    postgresCpuSeconds: postgres === undefined ? null : postgresCpuSeconds(postgres),
  };
}
