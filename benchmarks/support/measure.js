import { runLoad } from './load.js';

/**
 * @typedef {import('./load.js').Load & {
 *   groupSize: number, cpuPerThousand: number, postgresCpuPerThousand: number | null
 * }} ServiceLoad
 */

/**
 * Load on the service, with what the service tells about it.
 * @param {{ figures: import('./service.js').Service['figures'] }} service
 * @param {import('./load.js').LoadTask} task
 * @returns {Promise<ServiceLoad>}
 */
export async function measureService(service, task) {
  const before = await service.figures();
  const load = await runLoad(task);
  const after = await service.figures();
  const thousands = load.answered / 1000;
  return {
    ...load,
    groupSize: (after.decisions - before.decisions) / (after.groups - before.groups),
    cpuPerThousand: (after.cpuSeconds - before.cpuSeconds) / thousands,
    postgresCpuPerThousand:
      after.postgresCpuSeconds === null || before.postgresCpuSeconds === null
        ? null
        : (after.postgresCpuSeconds - before.postgresCpuSeconds) / thousands,
  };
}

/**
 * The details of a load as lines of the table.
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
    line('CPU of the load generator per 1,000 requests', 's', (load) =>
      load.cpuSeconds / (load.answered / 1000)),
  ].filter(({ values }) => values.length > 0);
}
