import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { bareCpuSeconds } from '../support/bare.js';
import { NODE_FLAGS, runTask, startServer } from '../support/children.js';
import { decisions } from '../support/decisions.js';
import { ratios, takeTurns } from '../support/figures.js';
import { memoryOf } from '../support/measure.js';
import { firstFrame } from '../support/stream-sockets.js';

const FULL = { clients: 1000, seconds: 5, searchSeconds: 2, slowest: 10, rounds: 5 };
const SMOKE = { clients: 20, seconds: 0.5, searchSeconds: 0.5, slowest: 100, rounds: 1 };
/** Of the step between the rate that was kept and the one that was not; three find it to a tenth. */
const HALVINGS = 3;
/** Delay from an answer to its events, 99th percentile, ms. */
const TOLERATED_MS = 100;
/** Of a rate that is tried: what must be answered in its time. */
const KEPT_SHARE = 0.9;
/** Of the highest rate of the slower side. */
const COMPARED_SHARE = 0.5;
const SCRIPT = new URL('../support/stream-process.js', import.meta.url);
const BARE = new URL('../bare-stream.js', import.meta.url);

/** @typedef {import('../support/stream-process.js').Streamed} Streamed */
/** @typedef {Streamed & { perFrame: number }} Measured perFrame: µs of CPU for each frame that arrived */
/** @typedef {(perSecond: number, seconds: number) => Promise<Measured>} Side */

/** Many stream clients while decisions are recorded, beside a server of `ws` that sends the same bytes. */
export const stream = {
  name: 'stream',
  needsPostgres: true,
  /**
   * @param {import('../run.js').Bench} bench
   * @returns {Promise<import('../support/figures.js').PhaseResult>}
   */
  async run({ services, smoke }) {
    const scale = smoke ? SMOKE : FULL;
    const service = await services.start({ LEDGER_ROLE: 'api' });
    const key = await service.createOrganisation('stream');
    const [decision] = decisions(1, { timestamps: false });
    const { seq, frame } = await firstFrame(service.url, key, JSON.stringify(decision));
    const env = { ...process.env, EVENT: frame.replace(`"seq":${seq},`, '"seq":SEQ,') };
    const bare = await startServer([...NODE_FLAGS, fileURLToPath(BARE)], env);
    const before = await memoryOf(service.url);
    const ours = sideOf(
      ...[service.url, key, scale.clients, seq],
      async () => (await service.figures()).cpuSeconds,
    );
    const theirs = sideOf(bare.url, key, scale.clients, 0, () => bareCpuSeconds(bare.url));
    const [highest, bareHighest] = [
      await highestRate(ours, scale, smoke),
      await highestRate(theirs, scale, smoke),
    ];
    const rate = Math.max(scale.slowest, COMPARED_SHARE * Math.min(highest, bareHighest));
    const turns = await takeTurns(scale.rounds, {
      ours: () => ours(rate, scale.seconds),
      theirs: () => theirs(rate, scale.seconds),
    });
    const memory = { before, after: await memoryOf(service.url) };
    await bare.stop();
    await service.stop();
    return report(scale, { highest, bareHighest, rate, turns, memory });
  },
};

/**
 * @param {string} url
 * @param {string} key
 * @param {number} clients
 * @param {number} recorded decisions so far
 * @param {() => Promise<number>} cpuSeconds used by the server so far
 * @returns {Side}
 */
function sideOf(url, key, clients, recorded, cpuSeconds) {
  let base = recorded;
  return async (perSecond, seconds) => {
    const cpu = await cpuSeconds();
    /** @type {Streamed} */
    const streamed = await runTask(SCRIPT, { url, key, clients, perSecond, seconds, base });
    base += streamed.recorded;
    const all = clients * streamed.recorded;
    if (streamed.count !== all || streamed.disorder > 0) {
      throw new Error(`${streamed.count} of ${all} events came, ${streamed.disorder} out of order`);
    }
    return { ...streamed, perFrame: ((await cpuSeconds()) - cpu) * (1e6 / all) };
  };
}

/**
 * The highest rate, in decisions a second, at which neither answers nor clients are late: doubled until they are, then
 * halved in between.
 * @param {Side} side
 * @param {{ slowest: number, searchSeconds: number }} scale
 * @param {boolean} isOnce whether to try one rate alone
 */
async function highestRate(side, { slowest, searchSeconds }, isOnce) {
  const isKept = async (/** @type {number} */ wanted) => {
    const { p99, rate } = await side(wanted, searchSeconds);
    return p99 <= TOLERATED_MS && rate >= wanted * KEPT_SHARE;
  };
  if (isOnce) return (await isKept(slowest)) ? slowest : 0;
  let highest = 0;
  let factor = 2;
  for (let rate = slowest; await isKept(rate); rate *= factor) highest = rate;
  for (let halved = 0; halved < HALVINGS && highest > 0; halved += 1) {
    factor = Math.sqrt(factor);
    if (await isKept(highest * factor)) highest *= factor;
  }
  return highest;
}

/**
 * @param {{ clients: number }} scale
 * @param {{
 *   highest: number, bareHighest: number, rate: number, turns: { ours: Measured[], theirs: Measured[] },
 *   memory: { before: number, after: number }
 * }} measured
 * @returns {import('../support/figures.js').PhaseResult}
 */
function report({ clients }, { highest, bareHighest, rate, turns, memory }) {
  const title = `stream, ${clients.toLocaleString('en')} clients`;
  const [ours, theirs] = [turns.ours, turns.theirs].map((side) => side.map((one) => one.perFrame));
  const figure = (
    /** @type {string} */ what,
    /** @type {string} */ unit,
    /** @type {number[]} */ ...values
  ) => ({ title: `${title}: ${what}`, unit, values });
  return {
    ratios: [
      {
        title: `${title}: CPU for each frame, with the recording ÷ a server of ws alone`,
        values: ratios(ours, theirs),
        goal: 1.3,
        goalIs: 'most',
      },
      {
        title: `${title}: highest rate with p99 ≤ ${TOLERATED_MS} ms ÷ a server of ws alone`,
        values: [highest / bareHighest],
        goal: 0.7,
      },
    ],
    details: [
      figure('highest rate', 'decisions/s', highest),
      figure('highest rate of ws alone', 'decisions/s', bareHighest),
      figure('rate of the comparison', 'decisions/s', rate),
      figure('CPU for each frame', 'µs', ...ours),
      figure('CPU of ws alone for each frame', 'µs', ...theirs),
      figure('answer to event, p50', 'ms', ...turns.ours.map(({ p50 }) => p50)),
      figure('answer to event, p99', 'ms', ...turns.ours.map(({ p99 }) => p99)),
      figure('answer to event of ws alone, p99', 'ms', ...turns.theirs.map(({ p99 }) => p99)),
      figure('memory of the service before', 'MiB', memory.before),
      figure('memory of the service after', 'MiB', memory.after),
    ],
    notes: ['All events of the stream came, each client’s in order.'],
  };
}
