import { fill } from '../support/fill.js';
import { runLoad } from '../support/load.js';
import { measureService } from '../support/measure.js';
import { startEmbedded, startOnPostgres, verifyDecisions } from '../support/service.js';

/** @typedef {import('../../packages/server/test/support/postgres-server.js').PostgresServer} PostgresServer */
/** @typedef {{ seconds: number, records: number }} Scale seconds of a measurement, and records that are read */
/** @typedef {{ measure: () => Promise<number>, stop: () => Promise<void> }} Side measure: CPU seconds of one round */

/**
 * What both trees do in turn. A start prepares one tree.
 * @typedef {object} Case
 * @property {string} name
 * @property {string} title
 * @property {string} per what the CPU seconds are of
 * @property {boolean} needsPostgres
 * @property {(program: string, scale: Scale, postgres: () => PostgresServer) => Promise<Side>} start
 */

/**
 * Requests of one kind on PostgreSQL. The CPU is that of the service and of its database, without a worker: what one
 * round leaves to a worker would count in the next.
 * @param {Pick<import('../support/load.js').LoadTask, 'what' | 'connections' | 'path'>} task
 * @param {number} [records] decisions that are recorded before
 * @returns {Case['start']}
 */
const requests =
  (task, records = 0) =>
  async (program, { seconds }, postgres) => {
    const service = await startOnPostgres(postgres(), {
      program,
      settings: { LEDGER_ROLE: 'api' },
    });
    const load = { ...task, url: service.url, key: await service.createOrganisation('bench') };
    if (records > 0) await fill(service, load.key, records);
    await runLoad({ ...load, seconds });
    return {
      async measure() {
        const measured = await measureService(service, { ...load, seconds });
        return measured.cpuPerThousand + (measured.postgresCpuPerThousand ?? 0);
      },
      stop: service.stop,
    };
  };

/** @type {Case['start']} */
async function verification(program, { records }, postgres) {
  const service = await startOnPostgres(postgres(), { program });
  const key = await service.createOrganisation('bench');
  await fill(service, key, records);
  return {
    async measure() {
      const before = await service.figures();
      await verifyDecisions(service.url, key);
      const after = await service.figures();
      return (after.cpuSeconds - before.cpuSeconds) / (records / 1000);
    },
    stop: service.stop,
  };
}

/** @type {Case['start']} */
async function embedded(program, { seconds }) {
  const service = await startEmbedded(program);
  const { url, key } = service;
  const load = { what: /** @type {const} */ ('single'), connections: 64, url, key, seconds };
  await runLoad(load);
  return {
    measure: async () => (await measureService(service, load)).cpuPerThousand,
    stop: service.stop,
  };
}

const REQUESTS = '1,000 requests';

/** @type {readonly Case[]} */
export const CASES = [
  {
    name: 'append',
    title: 'POST /decisions, 64 connections',
    per: REQUESTS,
    needsPostgres: true,
    start: requests({ what: 'single', connections: 64 }),
  },
  {
    name: 'batch',
    title: 'POST /decisions/batch of 100',
    per: REQUESTS,
    needsPostgres: true,
    start: requests({ what: 'batch', connections: 4 }),
  },
  {
    name: 'keyed-batch',
    title: 'the same with a key for each decision',
    per: REQUESTS,
    needsPostgres: true,
    start: requests({ what: 'keyed-batch', connections: 4 }),
  },
  {
    name: 'event',
    title: 'POST /financial-events',
    per: REQUESTS,
    needsPostgres: true,
    start: requests({ what: 'event', connections: 16 }),
  },
  {
    name: 'page',
    title: 'GET /decisions?limit=50',
    per: REQUESTS,
    needsPostgres: true,
    start: requests({ what: 'page', connections: 8, path: '/api/v1/decisions?limit=50' }, 10_000),
  },
  {
    name: 'verification',
    title: 'GET /decisions/chain/verify',
    per: '1,000 records',
    needsPostgres: true,
    start: verification,
  },
  {
    name: 'embedded',
    title: 'Embedded engine: POST /decisions',
    per: REQUESTS,
    needsPostgres: false,
    start: embedded,
  },
];
