import { runTask } from '../support/children.js';
import { memoryOf } from '../support/measure.js';

const FULL = { clients: 1000, perSecond: 500, seconds: 30 };
const SMOKE = { clients: 20, perSecond: 200, seconds: 0.5 };
const MEMORY_MS = 250;

/** Many stream clients while decisions are recorded. Every client must get all events in order. */
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
    const before = await memoryOf(service.url);
    let most = before;
    const watch = setInterval(async () => {
      most = Math.max(most, await memoryOf(service.url).catch(() => 0));
    }, MEMORY_MS);
    const script = new URL('../support/stream-process.js', import.meta.url);
    try {
      const result = await runTask(script, { url: service.url, key, ...scale });
      return report(scale, result, before, most);
    } finally {
      clearInterval(watch);
      await service.stop();
    }
  },
};

/**
 * @param {typeof FULL} scale
 * @param {{ p50: number, p99: number, most: number, drained: number, count: number, disorder: number }} result
 * @param {number} before MiB
 * @param {number} most MiB
 * @returns {import('../support/figures.js').PhaseResult}
 */
function report({ clients, perSecond, seconds }, result, before, most) {
  const all = clients * perSecond * seconds;
  if (result.count !== all || result.disorder > 0) {
    throw new Error(`${result.count} of ${all} events came, ${result.disorder} out of order`);
  }
  const title = `stream, ${clients.toLocaleString('en')} clients, ${perSecond} decisions/s`;
  const figure = (
    /** @type {string} */ what,
    /** @type {string} */ unit,
    /** @type {number} */ value,
  ) => ({ title: `${title}: ${what}`, unit, values: [value] });
  return {
    ratios: [],
    details: [
      figure('answer to event, p50', 'ms', result.p50),
      figure('answer to event, p99', 'ms', result.p99),
      figure('answer to event, most', 'ms', result.most),
      figure('last answer to last event', 'ms', result.drained),
      figure('memory of the service before', 'MiB', before),
      figure('memory of the service, most', 'MiB', most),
    ],
    notes: [`All ${all.toLocaleString('en')} events of the stream came, each client's in order.`],
  };
}
