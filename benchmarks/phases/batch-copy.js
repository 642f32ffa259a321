import { measureBare, startBare } from '../support/bare.js';
import { copyTarget } from '../support/copy.js';
import { ratios, takeTurns } from '../support/figures.js';
import { BATCH, runLoad } from '../support/load.js';
import { measureService, serviceDetails } from '../support/measure.js';
import { checkpoint } from '../support/sql.js';

const CONNECTIONS = 8;
/** The maximum number of decisions that the service commits in one transaction. */
const ROWS_PER_COPY = 1000;

export const batchCopy = {
  name: 'batch-copy',
  needsPostgres: true,
  /**
   * @param {import('../run.js').Bench} bench
   * @returns {Promise<import('../support/figures.js').PhaseResult>}
   */
  async run({ services, seconds, warmUp, rounds }) {
    const service = await services.start({ LEDGER_ROLE: 'api' });
    const bare = await startBare();
    const url = service.databaseUrl;
    const key = await service.createOrganisation('bench');
    const load = { what: /** @type {const} */ ('batch'), key, connections: CONNECTIONS };
    const keyed = { ...load, what: /** @type {const} */ ('keyed-batch') };
    const single = { what: /** @type {const} */ ('single'), key, connections: 64, url: bare.url };
    await runLoad({ ...load, url: service.url, seconds: warmUp });
    await runLoad({ ...single, seconds: warmUp });
    const copy = await copyTarget(service);
    const turns = await takeTurns(rounds, {
      service: async () => {
        await copy.mark();
        await checkpoint(url);
        return measureService(service, { ...load, url: service.url, seconds });
      },
      copy: () => copy.run(ROWS_PER_COPY),
      keyed: async () => {
        await checkpoint(url);
        return measureService(service, { ...keyed, url: service.url, seconds });
      },
      bare: () => measureBare({ ...single, seconds }),
    });
    await bare.stop();
    await service.stop();
    const ours = turns.service.map(({ perSecond }) => perSecond * BATCH);
    const withKeys = turns.keyed.map(({ perSecond }) => perSecond * BATCH);
    const copied = turns.copy.map(({ perSecond }) => perSecond);
    const title = `POST /decisions/batch of ${BATCH} ÷ COPY of the same rows`;
    const keyedTitle = `POST /decisions/batch of ${BATCH}: with a key for each decision ÷ without`;
    const cpuTitle = 'Batches: CPU of the service per decision ÷ that of the framework per request';
    const cpu = turns.service.map(({ cpuPerThousand }) => cpuPerThousand / BATCH);
    const bareCpu = turns.bare.map(({ cpuPerThousand }) => cpuPerThousand);
    return {
      ratios: [
        { title, values: ratios(ours, copied), goal: 0.5 },
        { title: cpuTitle, values: ratios(cpu, bareCpu), goal: 0.95, goalIs: 'most' },
        { title: keyedTitle, values: ratios(withKeys, ours) },
      ],
      details: [
        {
          title: `POST /decisions/batch, ${CONNECTIONS} connections`,
          unit: 'decisions/s',
          values: ours,
        },
        { title: 'COPY', unit: 'rows/s', values: copied },
        ...serviceDetails('POST /decisions/batch', turns.service),
        ...serviceDetails('POST /decisions/batch with keys', turns.keyed),
      ],
      notes: [`COPY runs on one connection, ${ROWS_PER_COPY} rows in a transaction.`],
    };
  },
};
