import { measureBare, startBare } from '../support/bare.js';
import { copyTarget } from '../support/copy.js';
import { ratios, takeTurns } from '../support/figures.js';
import { runLoad } from '../support/load.js';
import { measureService, serviceDetails } from '../support/measure.js';

const CONNECTIONS = 64;

export const singleBare = {
  name: 'single-bare',
  needsPostgres: true,
  /**
   * @param {import('../run.js').Bench} bench
   * @returns {Promise<import('../support/figures.js').PhaseResult>}
   */
  async run({ services, seconds, warmUp, rounds }) {
    const service = await services.start({ LEDGER_ROLE: 'api' });
    const bare = await startBare();
    const key = await service.createOrganisation('bench');
    const load = { what: /** @type {const} */ ('single'), key, connections: CONNECTIONS };
    await runLoad({ ...load, url: service.url, seconds: warmUp });
    await runLoad({ ...load, url: bare.url, seconds: warmUp });
    const copy = await copyTarget(service);
    let groupSize = 1;
    const turns = await takeTurns(rounds, {
      service: async () => {
        await copy.mark();
        const measured = await measureService(service, { ...load, url: service.url, seconds });
        groupSize = Math.max(1, Math.round(measured.groupSize));
        return measured;
      },
      copy: () => copy.run(groupSize),
      plainCopy: () => copy.run(groupSize, 'plain'),
      bare: () => measureBare({ ...load, url: bare.url, seconds }),
    });
    await bare.stop();
    await service.stop();
    const ours = turns.service.map(({ perSecond }) => perSecond);
    const theirs = turns.bare.map(({ perSecond }) => perSecond);
    const title = 'POST /decisions, 64 connections ÷ the framework with no work';
    return {
      ratios: [
        { title, values: ratios(ours, theirs), goal: 0.45 },
        { title: CPU_TITLE, values: cpuRatios(turns), goal: 2, goalIs: 'most' },
      ],
      details: [
        { title: 'POST /decisions', unit: '/s', values: ours },
        { title: 'The framework with no work', unit: '/s', values: theirs },
        ...serviceDetails('POST /decisions', turns.service),
        {
          title: 'The framework with no work: latency p50',
          unit: 'ms',
          values: turns.bare.map(({ p50 }) => p50),
        },
        {
          title: 'The framework with no work: CPU per 1,000 requests',
          unit: 's',
          values: turns.bare.map(({ cpuPerThousand }) => cpuPerThousand),
        },
        {
          title: 'COPY in groups of the same size: CPU of PostgreSQL per 1,000 rows',
          unit: 's',
          values: turns.copy.map((copied) => copied.postgresCpuPerThousand ?? 0),
        },
        {
          title: 'The same into a table with a primary key alone: CPU of PostgreSQL per 1,000 rows',
          unit: 's',
          values: turns.plainCopy.map((copied) => copied.postgresCpuPerThousand ?? 0),
        },
      ],
      notes: [],
    };
  },
};

const CPU_TITLE =
  'CPU of service and PostgreSQL per decision ÷ (the framework + COPY in groups of the same size)';

/**
 * @param {{
 *   service: import('../support/measure.js').ServiceLoad[], bare: { cpuPerThousand: number }[],
 *   copy: import('../support/copy.js').Copied[]
 * }} turns
 */
function cpuRatios({ service, bare, copy }) {
  return service.flatMap(({ cpuPerThousand, postgresCpuPerThousand }, round) => {
    const floor = copy[round].postgresCpuPerThousand;
    if (postgresCpuPerThousand === null || floor === null) return [];
    return [(cpuPerThousand + postgresCpuPerThousand) / (bare[round].cpuPerThousand + floor)];
  });
}
