// What a ledger of a given size costs, each measured on the running service.
import { runTask } from './children.js';
import { agentName } from './decisions.js';
import { median } from './figures.js';
import { BATCH, runLoad } from './load.js';
import { measureService, memoryOf } from './measure.js';
import { importEvents, paymentFor } from './payments.js';
import { postgresMemory } from './postgres-usage.js';
import { query } from './sql.js';
import { drain } from './watch.js';

const POLL_MS = 100;
const HOUR_MS = 3_600_000;
const SIGNING = new URL('./signing-process.js', import.meta.url);
const VERIFYING = new URL('./verify-process.js', import.meta.url);

/** @typedef {{ unit: string, value: number }} Measured */
/** @typedef {Record<string, Measured>} Steps by what was measured */
/** @typedef {any} Decision as the stream of decisions makes it */
/**
 * @typedef {object} Grown a ledger of one organisation
 * @property {import('./service.js').Service} service without a worker
 * @property {{ data: string }} postgres the server
 * @property {string} name of the organisation
 * @property {string} key
 * @property {number} records
 * @property {Decision[]} known some decisions, evenly spaced
 * @property {number} seconds of one step
 * @property {number} rounds
 */

/** @param {string} unit @param {number} value @returns {Measured} */
const figure = (unit, value) => ({ unit, value });

/**
 * Reads of one record or one page, one client at a time.
 * @param {Grown} grown
 * @returns {Promise<Steps>}
 */
export async function measureReads(grown) {
  const { service, known, name, records } = grown;
  const { reservation_id: rare, conversation_id: frequent } = known[1].metadata;
  const task = { task: 'first', environment: service.environment, name, records, wanted: 3 };
  /** @type {import('./signing-process.js').FirstRound} */
  const round = await runTask(SIGNING, task);
  const [, proven] = round.decisions;
  const middle = new Date((Date.parse(known[0].timestamp) + Date.now()) / 2).toISOString();
  const paths = {
    'first page, p50': '/decisions?limit=50',
    'page in the middle, p50': `/decisions?limit=50&end=${encodeURIComponent(middle)}`,
    'page of one agent, p50': `/decisions?limit=50&agent_id=${encodeURIComponent(agentName(0))}`,
    'search for a rare value, p50': `/search?q=${encodeURIComponent(rare)}`,
    'search for a frequent value, p50': `/search?q=${encodeURIComponent(frequent)}`,
    'proof of a decision, p50': `/decisions/${proven}/proof`,
  };
  /** @type {Steps} */
  const steps = {};
  for (const [title, path] of Object.entries(paths)) {
    steps[title] = figure('ms', await medianOfPage(grown, `/api/v1${path}`));
  }
  return steps;
}

/** @param {Grown} grown @param {string} path */
async function medianOfPage({ service, key, seconds, rounds }, path) {
  const load = { what: /** @type {const} */ ('page'), url: service.url, key, connections: 1 };
  const p50s = [];
  for (let round = 0; round < rounds; round += 1) {
    p50s.push((await runLoad({ ...load, path, seconds })).p50);
  }
  return median(p50s);
}

/** @param {Grown} grown @returns {Promise<Steps>} */
export async function measureVerification({ service, name, records }) {
  const { databaseUrl } = service;
  const task = { databaseUrl, organisation: name, rounds: 1, records };
  /** @type {import('./verify-process.js').TimedWalk[]} */
  const [walk] = await runTask(VERIFYING, task);
  return { 'full verification': figure('records/CPU-s', walk.records / walk.cpuSeconds) };
}

/**
 * Payments an hour after known decisions, imported without a worker, then matched by one.
 * @param {Grown} grown
 * @returns {Promise<Steps>}
 */
export async function measureSuggestions({ service, name, key, records, known }) {
  const events = known.map((cause, at) =>
    paymentFor(cause, at, {
      external_id: `pay_${records}_${at}`,
      timestamp: new Date(Date.parse(cause.timestamp) + HOUR_MS).toISOString(),
    }),
  );
  await importEvents(service, name, events);
  const seconds = await drainByWorker(service, key);
  return { 'suggestions for an event': figure('ms', (1000 * seconds) / events.length) };
}

/**
 * Appends without a worker, then the estimates of what was appended, by one.
 * @param {Grown} grown
 * @returns {Promise<Steps>}
 */
export async function measureAppends({ service, key, seconds, rounds }) {
  const before = await service.figures();
  const single = await measureKind('single', 64, { service, key, seconds, rounds });
  const batch = await measureKind('batch', 4, { service, key, seconds, rounds });
  const appended = (await service.figures()).decisions - before.decisions;
  const drained = await drainByWorker(service, key);
  return {
    'single decisions': figure('/s', single.perSecond),
    'single decision: CPU of the service': figure('µs', single.serviceCpu),
    'single decision: CPU of PostgreSQL': figure('µs', single.postgresCpu),
    'single decision: log': figure('bytes', single.logBytes),
    'decisions in batches': figure('/s', batch.perSecond * BATCH),
    'decision in a batch: CPU of the service': figure('µs', batch.serviceCpu / BATCH),
    'decision in a batch: CPU of PostgreSQL': figure('µs', batch.postgresCpu / BATCH),
    'decision in a batch: log': figure('bytes', batch.logBytes / BATCH),
    'estimates of new decisions by one worker': figure('/s', appended / drained),
  };
}

/**
 * @param {'single' | 'batch'} what
 * @param {number} connections
 * @param {Pick<Grown, 'service' | 'key' | 'seconds' | 'rounds'>} grown
 */
async function measureKind(what, connections, { service, key, seconds, rounds }) {
  const measured = [];
  for (let round = 0; round < rounds; round += 1) {
    const before = await logPosition(service.databaseUrl);
    const load = await measureService(service, {
      what,
      connections,
      url: service.url,
      key,
      seconds,
    });
    const logBytes = ((await logPosition(service.databaseUrl)) - before) / load.answered;
    measured.push({ load, logBytes });
  }
  return {
    perSecond: median(measured.map(({ load }) => load.perSecond)),
    serviceCpu: median(measured.map(({ load }) => load.cpuPerThousand * 1000)),
    postgresCpu: median(measured.map(({ load }) => (load.postgresCpuPerThousand ?? 0) * 1000)),
    logBytes: median(measured.map((one) => one.logBytes)),
  };
}

/** @param {string} url of the database @returns {Promise<number>} bytes */
async function logPosition(url) {
  const [{ bytes }] = await query(
    url,
    "select (pg_current_wal_insert_lsn() - '0/0')::float8 as bytes",
  );
  return bytes;
}

/** @param {Grown} grown @returns {Promise<Steps>} */
export async function measureSize({ service, postgres, key, records }) {
  const [{ bytes, decisions }] = await query(
    service.databaseUrl,
    `select pg_database_size(current_database())::float8 as bytes,
       pg_total_relation_size('decisions')::float8 as decisions`,
  );
  const worker = await service.another({ LEDGER_ROLE: 'worker' });
  await drain(service.url, key, POLL_MS);
  const memory = {
    api: await memoryOf(service.url),
    worker: await memoryOf(worker.url),
    postgres: postgresMemory(postgres) ?? Number.NaN,
  };
  await worker.stop();
  return {
    'database, for each decision': figure('bytes', bytes / records),
    'table of decisions with its indexes, for each': figure('bytes', decisions / records),
    'memory of the service': figure('MiB', memory.api),
    'memory of a worker': figure('MiB', memory.worker),
    'memory of PostgreSQL without its shared buffers': figure('MiB', memory.postgres),
  };
}

/**
 * Lets a worker do what is waiting.
 * @param {import('./service.js').Service} service
 * @param {string} key
 * @returns {Promise<number>} seconds
 */
async function drainByWorker(service, key) {
  const worker = await service.another({ LEDGER_ROLE: 'worker' });
  const seconds = await drain(service.url, key, POLL_MS);
  await worker.stop();
  return seconds;
}
