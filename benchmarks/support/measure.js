import { cpus } from 'node:os';
import { runLoad } from './load.js';

/**
 * @typedef {{
 *   groupSize: number, cpuPerThousand: number, postgresCpuPerThousand: number | null,
 *   others: number | null
 * }} Cost
 */

/** @typedef {import('./load.js').Load & Cost} ServiceLoad */

/**
 * Runs load on the service, and reads the service's metrics.
 * @param {{ figures: import('./service.js').Service['figures'] }} service
 * @param {import('./load.js').LoadTask} task
 * @returns {Promise<ServiceLoad>}
 */
export function measureService(service, task) {
  return measureLoad(service, () => runLoad(task));
}

/**
 * The same for load of any kind.
 * @template {import('./load.js').Load} Measured
 * @param {{ figures: import('./service.js').Service['figures'] }} service
 * @param {() => Promise<Measured>} run
 * @returns {Promise<Measured & Cost>}
 */
export async function measureLoad(service, run) {
  const [before, busy, started] = [await service.figures(), busySeconds(), performance.now()];
  const load = await run();
  const machine = { busy: busySeconds() - busy, wall: (performance.now() - started) / 1000 };
  const after = await service.figures();
  const thousands = load.answered / 1000;
  const own = after.cpuSeconds - before.cpuSeconds;
  const postgres =
    after.postgresCpuSeconds === null || before.postgresCpuSeconds === null
      ? null
      : after.postgresCpuSeconds - before.postgresCpuSeconds;
  return {
    ...load,
    groupSize: (after.decisions - before.decisions) / (after.groups - before.groups),
    cpuPerThousand: own / thousands,
    postgresCpuPerThousand: postgres === null ? null : postgres / thousands,
    others: postgres === null ? null : shareOfOthers(machine, own + postgres + load.cpuSeconds),
  };
}

/**
 * @param {string} url of a process of the service
 * @returns {Promise<number>} its current memory, in MiB
 */
export async function memoryOf(url) {
  const text = await (await fetch(new URL('/metrics', url))).text();
  const bytes = /^process_resident_memory_bytes (\S+)/m.exec(text)?.[1];
  return Number(bytes) / 2 ** 20;
}

/** CPU seconds of the whole machine since boot. */
function busySeconds() {
  const busy = cpus().map(({ times }) => times.user + times.nice + times.sys + times.irq);
  return busy.reduce((sum, ms) => sum + ms, 0) / 1000;
}

/**
 * @param {{ busy: number, wall: number }} machine
 * @param {number} own CPU seconds of the measured processes
 */
function shareOfOthers({ busy, wall }, own) {
  return Math.max(0, busy - own) / (wall * cpus().length);
}

const OTHERS = 'share of the machine that other programs took';

/**
 * A warning if other programs disturbed the run.
 * @param {readonly import('./figures.js').Figure[]} details
 * @returns {string[]}
 */
export function noiseNotes(details) {
  const shares = details.filter(({ title }) => title.endsWith(OTHERS));
  const worst = Math.max(0, ...shares.flatMap(({ values }) => values));
  if (worst <= 0.1) return [];
  const percent = Math.round(worst * 100);
  return [`Other programs took up to ${percent} % of the machine: repeat the run on a quiet one.`];
}

/**
 * The details of a load, as rows of the table.
 * @param {string} name
 * @param {readonly ServiceLoad[]} loads
 * @returns {import('./figures.js').Figure[]}
 */
export function serviceDetails(name, loads) {
  const line = (
    /** @type {string} */ title,
    /** @type {string} */ unit,
    /** @type {(load: ServiceLoad) => number | null} */ pick,
  ) => {
    const values = loads.map(pick).filter((value) => value !== null);
    return { title: `${name}: ${title}`, unit, values };
  };
  return [
    line('latency p50', 'ms', ({ p50 }) => p50),
    line('latency p99', 'ms', ({ p99 }) => p99),
    line('decisions in a transaction, mean', '', ({ groupSize }) => groupSize),
    line('CPU of the service per 1,000 requests', 's', ({ cpuPerThousand }) => cpuPerThousand),
    line('CPU of PostgreSQL per 1,000 requests', 's', (load) => load.postgresCpuPerThousand),
    line(
      'CPU of the load generator per 1,000 requests',
      's',
      (load) => load.cpuSeconds / (load.answered / 1000),
    ),
    line(OTHERS, '', ({ others }) => others),
  ].filter(({ values }) => values.length > 0);
}
