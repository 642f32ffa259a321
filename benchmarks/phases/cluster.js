import { findCitus } from '../../packages/server/test/support/citus-install.js';
import { startCitus } from '../../packages/server/test/support/citus-server.js';
import { startPostgres } from '../../packages/server/test/support/postgres-server.js';
import { ratios, takeTurns } from '../support/figures.js';
import { BATCH, runLoad } from '../support/load.js';
import { measureService, serviceDetails } from '../support/measure.js';
import { postgresCpuSeconds } from '../support/postgres-usage.js';
import { startOnPostgres, verifyDecisions } from '../support/service.js';
import { checkpoint } from '../support/sql.js';

/** The same for one server and for each node of the cluster. */
const SETTINGS = {
  ...{ max_connections: '300', shared_buffers: '256MB', max_wal_size: '4GB' },
  ...{ checkpoint_timeout: '1h', autovacuum: 'off' },
};

/** @type {Record<string, { what: 'batch' | 'single', connections: number, size: number, title: string }>} */
const LOADS = {
  batches: { what: 'batch', connections: 8, size: BATCH, title: `batches of ${BATCH}` },
  singles: { what: 'single', connections: 16, size: 1, title: 'single decisions' },
};

/** @typedef {import('../support/measure.js').ServiceLoad & { workersCpuSeconds: number }} Measured */
/** @typedef {Awaited<ReturnType<typeof startOnPostgres>>} Service */

/** Decisions on a coordinator with two workers ÷ the same on one server of the same programs, in turns. */
export const cluster = {
  name: 'cluster',
  needsPostgres: false,
  isOnRequest: true,
  /**
   * @param {import('../run.js').Bench} bench
   * @returns {Promise<import('../support/figures.js').PhaseResult>}
   */
  async run({ seconds, warmUp, rounds, nodeFlags }) {
    const found = findCitus();
    if ('reason' in found) {
      return { ratios: [], details: [], notes: [`SKIPPED cluster: ${found.reason}.`] };
    }
    const plain = await startPostgres({ settings: SETTINGS, found });
    const nodes = await startCitus({ settings: SETTINGS });
    try {
      const options = { nodeFlags, settings: { LEDGER_ROLE: 'api' } };
      const services = {
        plain: await startOnPostgres(plain, options),
        cluster: await startOnPostgres(nodes.coordinator, options),
      };
      const keys = {
        plain: await services.plain.createOrganisation('bench'),
        cluster: await services.cluster.createOrganisation('bench'),
      };
      /** @type {Record<string, () => Promise<Measured>>} */
      const sides = {};
      for (const [name, { what, connections }] of Object.entries(LOADS)) {
        for (const side of /** @type {const} */ (['plain', 'cluster'])) {
          const [service, key] = [services[side], keys[side]];
          const load = { what, connections, key, url: service.url };
          const workers = side === 'plain' ? [] : nodes.workers;
          await runLoad({ ...load, seconds: warmUp });
          sides[`${side} ${name}`] = async () => {
            for (const { url } of side === 'plain' ? [plain] : [nodes.coordinator, ...workers]) {
              await checkpoint(url);
            }
            const before = cpuOf(workers);
            const measured = await measureService(service, { ...load, seconds });
            return { ...measured, workersCpuSeconds: cpuOf(workers) - before };
          };
        }
      }
      const turns = await takeTurns(rounds, sides);
      for (const side of /** @type {const} */ (['plain', 'cluster'])) {
        await verifyDecisions(services[side].url, keys[side]);
        await services[side].stop();
      }
      return report(turns);
    } finally {
      await plain.stop();
      await nodes.stop();
    }
  },
};

/** @param {readonly { data: string }[]} servers */
function cpuOf(servers) {
  return servers.reduce((sum, server) => sum + (postgresCpuSeconds(server) ?? 0), 0);
}

/**
 * @param {Record<string, Measured[]>} turns
 * @returns {import('../support/figures.js').PhaseResult}
 */
function report(turns) {
  const parts = Object.entries(LOADS).map(([name, { size, title }]) => {
    const [ours, one] = [turns[`cluster ${name}`], turns[`plain ${name}`]];
    const rate = (/** @type {Measured[]} */ loads) => loads.map(({ perSecond }) => perSecond);
    /** CPU of the connected server, in ms for 1,000 decisions. @param {Measured[]} loads */
    const cpu = (loads) =>
      loads.map(({ postgresCpuPerThousand }) => ((postgresCpuPerThousand ?? 0) * 1000) / size);
    const workers = ours.map(
      ({ workersCpuSeconds, answered }) => (workersCpuSeconds * 1e6) / (answered * size),
    );
    const unit = 'CPU-ms per 1,000';
    const isBatch = name === 'batches';
    return {
      ratios: [
        {
          title: `Cluster ÷ one server, ${title}: decisions a second`,
          values: ratios(rate(ours), rate(one)),
        },
        {
          title: `Cluster, ${title}: CPU of the coordinator ÷ that of one server`,
          values: ratios(cpu(ours), cpu(one)),
          ...(isBatch && { goal: 1, goalIs: /** @type {const} */ ('most') }),
        },
        {
          title: `Cluster, ${title}: CPU-ms of the coordinator per 1,000 decisions`,
          values: cpu(ours),
          ...(isBatch && { goal: 56, goalIs: /** @type {const} */ ('most') }),
        },
      ],
      details: [
        { title: `one server, ${title}: PostgreSQL`, unit, values: cpu(one) },
        { title: `cluster, ${title}: workers`, unit, values: workers },
        ...serviceDetails(`cluster, ${title}`, ours),
        ...serviceDetails(`one server, ${title}`, one),
      ],
    };
  });
  return {
    ratios: parts.flatMap((part) => part.ratios),
    details: parts.flatMap((part) => part.details),
    notes: ['cluster: a coordinator and two workers on this machine; all chains are valid.'],
  };
}
