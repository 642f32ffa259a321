import { measureBare, startBare } from '../support/bare.js';
import { ratios, takeTurns } from '../support/figures.js';
import { BATCH, runLoad } from '../support/load.js';
import { measureService, serviceDetails } from '../support/measure.js';
import { startEmbedded } from '../support/service.js';

/** Of single decisions, and of batches. */
const CONNECTIONS = { single: 64, batch: 8 };
const SMOKE_CONNECTIONS = { single: 4, batch: 1 };

export const embedded = {
  name: 'embedded',
  needsPostgres: false,
  /**
   * @param {import('../run.js').Bench} bench
   * @returns {Promise<import('../support/figures.js').PhaseResult>}
   */
  async run({ seconds, warmUp, rounds, smoke }) {
    const connections = smoke ? SMOKE_CONNECTIONS : CONNECTIONS;
    const service = await startEmbedded();
    const bare = await startBare();
    const { key } = service;
    const single = { what: /** @type {const} */ ('single'), key, connections: connections.single };
    const batch = {
      ...{ what: /** @type {const} */ ('batch'), key, connections: connections.batch },
      url: service.url,
    };
    await runLoad({ ...single, url: service.url, seconds: warmUp });
    await runLoad({ ...single, url: bare.url, seconds: warmUp });
    // Followers of batches would still run, in the same process, while single decisions are measured.
    const turns = await takeTurns(rounds, {
      single: () => measureService(service, { ...single, url: service.url, seconds }),
      bare: () => measureBare({ ...single, url: bare.url, seconds }),
    });
    await runLoad({ ...batch, seconds: warmUp });
    const { batch: batches } = await takeTurns(rounds, {
      batch: () => runLoad({ ...batch, seconds }),
    });
    await bare.stop();
    await service.stop();
    const singles = turns.single.map(({ perSecond }) => perSecond);
    const batched = batches.map(({ perSecond }) => perSecond * BATCH);
    const framework = turns.bare.map(({ perSecond }) => perSecond);
    return {
      ratios: [
        {
          title: 'Embedded engine: POST /decisions ÷ the framework with no work',
          values: ratios(singles, framework),
        },
        {
          title: 'Embedded engine: decisions in batches ÷ requests of the framework with no work',
          values: ratios(batched, framework),
        },
        {
          title:
            'Embedded engine: CPU of the service per decision ÷ that of the framework per request',
          values: ratios(
            turns.single.map(({ cpuPerThousand }) => cpuPerThousand),
            turns.bare.map(({ cpuPerThousand }) => cpuPerThousand),
          ),
          goal: 5.8,
          goalIs: 'most',
        },
      ],
      details: [
        { title: 'Embedded engine: POST /decisions', unit: '/s', values: singles },
        { title: 'Embedded engine: batches', unit: 'decisions/s', values: batched },
        ...serviceDetails('Embedded engine', turns.single),
      ],
      notes: [],
    };
  },
};
