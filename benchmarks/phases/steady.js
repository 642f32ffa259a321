import { startPostgres } from '../../packages/server/test/support/postgres-server.js';
import { runLoad, runOpenLoad } from '../support/load.js';
import { measureLoad, serviceDetails } from '../support/measure.js';
import { startOnPostgres } from '../support/service.js';
import { byMinute, drain, slopeOf, watch } from '../support/watch.js';

const CONNECTIONS = 64;
/** Of the highest rate. */
const SHARE = 0.8;
/** Memory grows until then: caches and buffers fill. */
const SETTLED = 0.2;
const FULL = { find: 20, seconds: 600, everyMs: 1000 };
const SMOKE = { find: 0, seconds: 2, everyMs: 250 };
/** Checkpoints and vacuums run when the server wants, as they do for users. */
const SETTINGS = { shared_buffers: '1GB', max_wal_size: '8GB' };
const TITLE = 'Steady load';
const METER = new URL('../support/gc-meter.js', import.meta.url);

/** @typedef {import('../support/watch.js').Sample} Sample */
/** @typedef {import('../support/load.js').OpenLoaded & import('../support/measure.js').Cost} Loaded */

/** Ten minutes of requests at scheduled times, at 80 % of the highest rate: latency, pauses, lag of followers, memory. */
export const steady = {
  name: 'steady',
  needsPostgres: true,
  isOnRequest: true,
  /**
   * @param {import('../run.js').Bench} bench
   * @returns {Promise<import('../support/figures.js').PhaseResult>}
   */
  async run({ postgres, warmUp, smoke, nodeFlags }) {
    const { find, seconds, everyMs } = smoke ? SMOKE : FULL;
    const server = smoke ? postgres() : await startPostgres({ settings: SETTINGS });
    const settings = { NODE_OPTIONS: `--import=${METER.href}` };
    const service = await startOnPostgres(server, { nodeFlags, settings });
    const { url } = service;
    const key = await service.createOrganisation('steady');
    const closed = { what: /** @type {const} */ ('single'), url, key, connections: CONNECTIONS };
    await runLoad({ ...closed, seconds: warmUp });
    const highest = await runLoad({ ...closed, seconds: find });
    await drain(url, key, everyMs);
    const watching = watch(service, { key, postgres: server, everyMs });
    const open = { url, key, perSecond: highest.perSecond * SHARE, seconds };
    const load = await measureLoad(service, () => runOpenLoad(open));
    const watched = await watching.stop();
    const drained = await drain(url, key, everyMs);
    await service.stop();
    if (!smoke) await server.stop();
    return report({ highest: highest.perSecond, load, watched, drained, seconds });
  },
};

/**
 * @param {{
 *   highest: number, load: Loaded, watched: import('../support/watch.js').Watched, drained: number, seconds: number
 * }} measured
 * @returns {import('../support/figures.js').PhaseResult}
 */
function report({ highest, load, watched, drained, seconds }) {
  const { samples, collections } = watched;
  const lag = samples.map(({ lagSeconds }) => lagSeconds);
  const memory = memoryRows('the service', samples, seconds, (sample) => sample.memory);
  const postgres = memoryRows('PostgreSQL', samples, seconds, (sample) => sample.postgres);
  return {
    ratios: [
      { title: `${TITLE}: most lag of a follower, s`, ...goal(5), values: [Math.max(...lag)] },
      ...memory.ratios,
      ...postgres.ratios,
    ],
    details: [
      figure('highest rate of a closed loop', '/s', highest),
      figure('rate', '/s', load.perSecond),
      ...serviceDetails(TITLE, [load]),
      figure('latency p99.9', 'ms', load.p999),
      figure('latency, most', 'ms', load.most),
      figure('from the scheduled time until a request was sent, p99', 'ms', load.late),
      figure('collections of garbage', '', collections.collections),
      figure('collections of garbage, all pauses', 'ms', collections.pauses),
      figure('collections of garbage, longest pause', 'ms', collections.longest),
      figure('lag of a follower by sample', 's', ...lag),
      figure('lag of a follower at the end', 's', lag.at(-1) ?? 0),
      figure('lag at the end', 'records', samples.at(-1)?.lagRecords ?? 0),
      figure('last answer until followers have taken all', 's', drained),
      ...memory.details,
      ...postgres.details,
    ],
    notes: [
      `steady: all ${load.answered.toLocaleString('en')} requests were answered with 201, at ` +
        `${SHARE * 100} % of the highest rate for ${seconds} s. Memory of PostgreSQL is without shared buffers.`,
    ],
  };
}

/**
 * @param {string} what
 * @param {string} unit
 * @param {number[]} values
 */
const figure = (what, unit, ...values) => ({ title: `${TITLE}: ${what}`, unit, values });

/** @param {number} most */
const goal = (most) => ({ goal: most, goalIs: /** @type {const} */ ('most') });

/**
 * @param {string} what
 * @param {readonly Sample[]} samples
 * @param {number} seconds
 * @param {(sample: Sample) => number | null} pick MiB
 */
function memoryRows(what, samples, seconds, pick) {
  const settled = samples.flatMap((sample) => {
    const value = pick(sample);
    return value === null || sample.at < seconds * SETTLED ? [] : [{ at: sample.at, value }];
  });
  if (settled.length === 0) return { ratios: [], details: [] };
  const { perMinute, growth } = slopeOf(settled);
  const title = `${TITLE}: memory of ${what} at the end ÷ after a fifth of the time`;
  return {
    ratios: [{ title, ...goal(1.05), values: [growth] }],
    details: [
      figure(`memory of ${what} by minute`, 'MiB', ...byMinute(samples, pick)),
      figure(`growth of the memory of ${what} after a fifth of the time`, 'MiB/min', perMinute),
    ],
  };
}
