// Ratios measured in one run on this machine: `npm run bench`. README.md explains them.
import { writeFileSync } from 'node:fs';
import process from 'node:process';
import { findPostgres } from '../packages/server/test/support/postgres-install.js';
import { startPostgres } from '../packages/server/test/support/postgres-server.js';
import { CASES } from './against/cases.js';
import { attribution } from './phases/attribution.js';
import { batchCopy } from './phases/batch-copy.js';
import { client } from './phases/client.js';
import { cluster } from './phases/cluster.js';
import { dashboard } from './phases/dashboard.js';
import { drained } from './phases/drained.js';
import { embedded } from './phases/embedded.js';
import { evidence } from './phases/evidence.js';
import { experiment } from './phases/experiment.js';
import { growth } from './phases/growth.js';
import { liability } from './phases/liability.js';
import { otlp } from './phases/otlp.js';
import { pages } from './phases/pages.js';
import { processes } from './phases/processes.js';
import { search } from './phases/search.js';
import { sideBySide } from './phases/side-by-side.js';
import { singleBare } from './phases/single-bare.js';
import { singlePgbench } from './phases/single-pgbench.js';
import { start } from './phases/start.js';
import { steady } from './phases/steady.js';
import { stream } from './phases/stream.js';
import { tenants } from './phases/tenants.js';
import { transparency } from './phases/transparency.js';
import { verification } from './phases/verification.js';
import { inRepository, killAll, run } from './support/children.js';
import { keepLoadProcess } from './support/load.js';
import { describeMachine } from './support/machine.js';
import { noiseNotes } from './support/measure.js';
import { readOptions } from './support/options.js';
import { summariseProfiles } from './support/profile.js';
import { toDetails, toJson, toSummary, writeBetweenMarkers } from './support/report.js';
import { openServices } from './support/service.js';

const PHASES = [
  ...[singleBare, singlePgbench, batchCopy, verification, pages, search, otlp],
  ...[attribution, liability, evidence, stream, embedded, start, client, dashboard],
  ...[transparency, experiment, drained, processes, tenants, sideBySide],
  // Those that take long run if they are named.
  ...[steady, growth, cluster],
];
const FULL = { seconds: 4, warmUp: 4, rounds: 7 };
/** One request on each connection. */
const SMOKE = { seconds: 0, warmUp: 0, rounds: 1 };

/** Default durability; checkpoints and vacuums run only when the benchmark requests them. */
const SETTINGS = {
  shared_buffers: '1GB',
  max_wal_size: '8GB',
  checkpoint_timeout: '1h',
  autovacuum: 'off',
};

/**
 * @typedef {object} Bench
 * @property {() => import('../packages/server/test/support/postgres-server.js').PostgresServer} postgres
 * @property {ReturnType<typeof openServices>} services that phases may share in a short run
 * @property {number} seconds of one step
 * @property {number} warmUp seconds
 * @property {number} rounds
 * @property {boolean} smoke
 * @property {string[]} nodeFlags of the service
 */

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  // Child processes end with this process.
  process.once(signal, () => process.exit(130));
}

try {
  await main();
} catch (error) {
  process.stderr.write(`bench: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}

async function main() {
  const phases = PHASES.map(({ name }) => name);
  const cases = CASES.map(({ name }) => name);
  const options = readOptions(process.argv.slice(2), { phases, cases });
  await run(process.execPath, [inRepository('packages/server/bin/build.js')]);
  const found = findPostgres();
  const machine = describeMachine('reason' in found ? null : found.version);
  const server = 'reason' in found ? null : await startPostgres({ settings: SETTINGS });
  if (options.against !== undefined) {
    // It uses code of the service, which is built by now.
    const { compareTrees } = await import('./against/run.js');
    const { against } = options;
    try {
      await compareTrees({ ...options, against }, server === null ? null : () => server);
    } finally {
      await server?.stop();
    }
    return;
  }
  const scale = options.smoke ? SMOKE : FULL;
  const nodeFlags =
    options.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${options.profile}`];
  const postgres = () => {
    if (server === null) throw new Error('there is no PostgreSQL server');
    return server;
  };
  const wanted = PHASES.filter((phase) =>
    options.only === undefined ? !('isOnRequest' in phase) : options.only.includes(phase.name),
  );
  const { seconds, rounds } = scale;
  const results = {
    ...{ machine, method: { seconds, rounds, settings: SETTINGS } },
    ...{ ratios: [], details: [], notes: [] },
  };
  if (options.smoke) keepLoadProcess();
  const services = openServices(postgres, { isShared: options.smoke, nodeFlags });
  try {
    for (const phase of wanted) {
      const bench = { postgres, services, ...scale, smoke: options.smoke, nodeFlags };
      const result = await runPhase(phase, bench, found);
      for (const kind of Object.keys(result)) results[kind].push(...result[kind]);
      // A run that ends early leaves what it measured.
      if (options.json !== undefined) writeFileSync(options.json, toJson(results));
    }
  } finally {
    await services.stop();
    await server?.stop();
  }
  results.notes.push(...noiseNotes(results.details));
  const summary = toSummary(results);
  process.stdout.write(`\n${summary}\n\n${toDetails(results)}\n`);
  keep(results, summary, options);
  if (options.profile !== undefined) {
    process.stdout.write(`\n${summariseProfiles(options.profile)}`);
  }
}

/**
 * @param {typeof PHASES[number]} phase
 * @param {Bench} bench
 * @param {ReturnType<typeof findPostgres>} found
 * @returns {Promise<import('./support/figures.js').PhaseResult>}
 */
async function runPhase(phase, bench, found) {
  if (phase.needsPostgres && 'reason' in found) {
    return remark(`SKIPPED ${phase.name}: ${found.reason}.`);
  }
  const started = performance.now();
  try {
    const result = await phase.run(bench);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    process.stderr.write(`${phase.name}: ${seconds} s\n`);
    return result;
  } catch (error) {
    killAll();
    bench.services.forget();
    process.exitCode = 1;
    const reason = error instanceof Error ? error.message : error;
    return remark(`FAILED ${phase.name}: ${reason}`);
  }
}

/** @param {string} note */
function remark(note) {
  process.stderr.write(`${note}\n`);
  return { ratios: [], details: [], notes: [note] };
}

/**
 * @param {import('./support/report.js').Results} results
 * @param {string} summary
 * @param {ReturnType<typeof readOptions>} options
 */
function keep(results, summary, { smoke, only, json, profile }) {
  const text = toJson(results);
  if (json !== undefined) writeFileSync(json, text);
  const isPartial = only !== undefined || profile !== undefined || process.exitCode === 1;
  if (smoke || isPartial) return;
  writeFileSync(inRepository('benchmarks/results.json'), text);
  writeBetweenMarkers(inRepository('benchmarks/README.md'), summary);
}
