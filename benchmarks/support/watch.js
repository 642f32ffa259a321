import { setTimeout as sleep } from 'node:timers/promises';
import { postgresMemory } from './postgres-usage.js';

/** It signs a round every five minutes, so that it is behind until the next one. */
const PERIODIC = 'checkpoints';
const PATIENCE_MS = 3_600_000;

/**
 * @typedef {object} Sample
 * @property {number} at seconds since the start
 * @property {number} memory of the service, MiB
 * @property {number | null} postgres memory of PostgreSQL, MiB
 * @property {number} lagSeconds of the follower that is behind the most
 * @property {number} lagRecords of one follower, or the work that is due for it
 */

/** @typedef {Pick<import('./gc-meter.js').Meter, 'collections' | 'pauses' | 'longest'>} Collections */
/** @typedef {{ samples: Sample[], collections: Collections }} Watched */

/**
 * Samples a service that has the meter of collections, until it is told to stop.
 * @param {Pick<import('./service.js').Service, 'url' | 'ask'>} service
 * @param {{ key: string, postgres: { data: string }, everyMs: number }} how
 */
export function watch(service, { key, postgres, everyMs }) {
  const start = performance.now();
  const stopping = new AbortController();
  const watching = (async () => {
    /** @type {Watched} */
    const watched = { samples: [], collections: { collections: 0, pauses: 0, longest: 0 } };
    /** @type {import('./gc-meter.js').Meter} */
    let meter = await service.ask('begin');
    while (!stopping.signal.aborted) {
      await sleep(everyMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      meter = await service.ask('meter');
      watched.collections = {
        collections: watched.collections.collections + meter.collections,
        pauses: watched.collections.pauses + meter.pauses,
        longest: Math.max(watched.collections.longest, meter.longest),
      };
      watched.samples.push({
        at: (performance.now() - start) / 1000,
        memory: meter.memory / 2 ** 20,
        postgres: postgresMemory(postgres),
        ...(await lagOf(service.url, key)),
      });
    }
    return watched;
  })();
  // A failure is reported when the watch is stopped.
  watching.catch(() => undefined);
  return {
    stop() {
      stopping.abort();
      return watching;
    },
  };
}

/**
 * @param {string} url
 * @param {string} key
 * @returns {Promise<{ lagSeconds: number, lagRecords: number }>} of the follower that is behind the most
 */
async function lagOf(url, key) {
  const answer = await fetch(`${url}/api/v1/followers`, { headers: { 'x-ledger-key': key } });
  if (!answer.ok) throw new Error(`the followers were answered with ${answer.status}`);
  const { data } = await answer.json();
  const states = data.followers
    .filter((/** @type {{ name: string }} */ { name }) => name !== PERIODIC)
    .flatMap((/** @type {{ logs: object[], due: object | null }} */ { logs, due }) => [
      ...logs,
      ...(due === null ? [] : [due]),
    ]);
  const most = (/** @type {(state: Record<string, number>) => number | undefined} */ pick) =>
    Math.max(0, ...states.map((/** @type {any} */ state) => pick(state)));
  return {
    lagSeconds: most((state) => state.lag_seconds),
    lagRecords: most((state) => state.lag_records ?? state.waiting),
  };
}

/**
 * Waits until the followers have taken every record and done what is due. A service whose role is api has none that would.
 * @param {string} url
 * @param {string} key
 * @param {number} [everyMs]
 * @returns {Promise<number>} seconds
 */
export async function drain(url, key, everyMs = 250) {
  const start = performance.now();
  while ((await lagOf(url, key)).lagRecords > 0) {
    if (performance.now() - start > PATIENCE_MS) throw new Error('the followers do not catch up');
    await sleep(everyMs);
  }
  return (performance.now() - start) / 1000;
}

/**
 * @param {readonly Sample[]} samples
 * @param {(sample: Sample) => number | null} pick
 * @returns {number[]} the mean of each minute
 */
export function byMinute(samples, pick) {
  /** @type {Map<number, number[]>} */
  const minutes = new Map();
  for (const sample of samples) {
    const value = pick(sample);
    if (value === null) continue;
    const minute = Math.floor(sample.at / 60);
    minutes.set(minute, [...(minutes.get(minute) ?? []), value]);
  }
  return [...minutes.values()].map(mean);
}

/**
 * A line through the values by least squares.
 * @param {readonly { at: number, value: number }[]} points at: seconds
 * @returns {{ perMinute: number, growth: number }} growth: the line's last value ÷ its first one
 */
export function slopeOf(points) {
  const [x, y] = [mean(points.map(({ at }) => at)), mean(points.map(({ value }) => value))];
  const square = sum(points.map(({ at }) => (at - x) ** 2));
  const slope =
    square === 0 ? 0 : sum(points.map(({ at, value }) => (at - x) * (value - y))) / square;
  const on = (/** @type {number} */ at) => y + slope * (at - x);
  const [first, last] = [points[0]?.at ?? 0, points.at(-1)?.at ?? 0];
  return { perMinute: slope * 60, growth: on(last) / on(first) };
}

/** @param {readonly number[]} values */
const sum = (values) => values.reduce((total, value) => total + value, 0);

/** @param {readonly number[]} values */
const mean = (values) => sum(values) / Math.max(1, values.length);
