import { randomBytes } from 'node:crypto';
import { NODE_FLAGS, runTask } from '../support/children.js';
import { folderEnvironment, temporaryFolder } from '../support/service.js';

const AMOUNT = 60;
const SMOKE_AMOUNT = 5;

/** What 1,000 decisions in batches cost until their estimates are stored: the append, and the follower. */
export const drained = {
  name: 'drained',
  needsPostgres: true,
  /**
   * @param {import('../run.js').Bench} bench
   * @returns {Promise<import('../support/figures.js').PhaseResult>}
   */
  async run({ postgres, rounds, smoke }) {
    const server = postgres();
    const database = await server.createDatabase();
    const amount = smoke ? SMOKE_AMOUNT : AMOUNT;
    const onPostgres = await measure({
      environment: {
        DATABASE_URL: database.url,
        LEDGER_MASTER_KEY: randomBytes(32).toString('base64'),
      },
      postgres: { data: server.data },
      amount,
      rounds,
    });
    await database.drop();
    const embedded = await measure({ environment: {}, postgres: null, amount, rounds });
    return {
      ratios: [],
      details: [...details('PostgreSQL', onPostgres), ...details('Embedded engine', embedded)],
      notes: [],
    };
  },
};

/**
 * @param {{ environment: NodeJS.ProcessEnv, postgres: { data: string } | null, amount: number, rounds: number }} task
 * @returns {Promise<import('../support/drained-process.js').Round[]>}
 */
async function measure(task) {
  const folder = temporaryFolder();
  try {
    const environment = { ...folderEnvironment(folder.path), ...task.environment };
    const script = new URL('../support/drained-process.js', import.meta.url);
    return await runTask(script, { ...task, environment }, NODE_FLAGS);
  } finally {
    folder.remove();
  }
}

/**
 * @param {string} engine
 * @param {readonly import('../support/drained-process.js').Round[]} measured
 * @returns {import('../support/figures.js').Figure[]}
 */
function details(engine, measured) {
  const cpu = (
    /** @type {string} */ what,
    /** @type {(round: typeof measured[number]) => number} */ pick,
  ) => ({
    title: `${engine}: CPU of 1,000 decisions in batches, ${what}`,
    unit: 'ms',
    values: measured.map(pick),
  });
  const log = (/** @type {string} */ what, /** @type {'append' | 'follow'} */ part) => ({
    title: `${engine}: log of a decision, ${what}`,
    unit: 'bytes',
    values: measured.map((round) => round[part].logBytes),
  });
  return [
    cpu('append', ({ append }) => append.cpuMs),
    cpu('follower of estimates', ({ follow }) => follow.cpuMs),
    cpu('in total', ({ append, follow }) => append.cpuMs + follow.cpuMs),
    log('append', 'append'),
    log('follower of estimates', 'follow'),
  ];
}
