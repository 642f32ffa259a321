import process from 'node:process';
import { startPostgres } from '../../packages/server/test/support/postgres-server.js';
import { fillDistinct } from '../support/fill.js';
import {
  measureAppends,
  measureReads,
  measureSize,
  measureSuggestions,
  measureVerification,
} from '../support/growth-steps.js';
import { startOnPostgres } from '../support/service.js';
import { checkpoint, query } from '../support/sql.js';
import { drain } from '../support/watch.js';

const SIZES = [10_000, 1_000_000, 10_000_000];
/** Of one size: the steps are the same at each. */
const SMOKE_SIZES = [300];
/** Decisions of each size that cause an event. */
const EVENTS = 2000;
const SMOKE_EVENTS = 10;
const SPAN_MS = 90 * 86_400_000;
/** Checkpoints and vacuums run when the server wants: hours of updates without them would be measured. */
const SETTINGS = { shared_buffers: '1GB', max_wal_size: '8GB' };

/** @typedef {{ size: number, steps: import('../support/growth-steps.js').Steps }} Stage */

/** One ledger that grows: what its records cost, and what reading them takes. */
export const growth = {
  name: 'growth',
  needsPostgres: true,
  isOnRequest: true,
  /**
   * @param {import('../run.js').Bench} bench
   * @returns {Promise<import('../support/figures.js').PhaseResult>}
   */
  async run({ postgres, seconds, rounds, smoke, nodeFlags }) {
    const server = smoke ? postgres() : await startPostgres({ settings: SETTINGS });
    const service = await startOnPostgres(server, { nodeFlags, settings: { LEDGER_ROLE: 'api' } });
    const key = await service.createOrganisation('growth');
    const scale = { seconds: Math.min(seconds, 3), rounds: Math.min(rounds, 3) };
    /** @type {Stage[]} */
    const stages = [];
    for (const [place, size] of (smoke ? SMOKE_SIZES : SIZES).entries()) {
      const recorded = await recordedIn(service.databaseUrl);
      const filling = { key, count: size - recorded, wanted: smoke ? SMOKE_EVENTS : EVENTS, place };
      const known = await grow(service, filling);
      const grown = { service, postgres: server, name: 'growth', key, records: size, known };
      const steps = await measureStage({ ...grown, ...scale });
      // A long run keeps what it measured, even if it ends early.
      process.stderr.write(`growth: ${JSON.stringify({ size, steps })}\n`);
      stages.push({ size, steps });
    }
    await service.stop();
    if (!smoke) await server.stop();
    return report(stages);
  },
};

/**
 * Records decisions while a worker follows them, and leaves the database as autovacuum would.
 * @param {import('../support/service.js').Service} service
 * @param {{ key: string, count: number, wanted: number, place: number }} filling place: of the stage
 */
async function grow(service, { key, count, wanted, place }) {
  const worker = await service.another({ LEDGER_ROLE: 'worker' });
  const known = await fillDistinct(service, key, count, wanted, SPAN_MS, place);
  await drain(service.url, key);
  await worker.stop();
  await query(service.databaseUrl, 'vacuum (analyze)');
  await checkpoint(service.databaseUrl);
  return known;
}

/** @param {string} url of the database @returns {Promise<number>} decisions of the ledger that grows */
async function recordedIn(url) {
  const [{ seq }] = await query(
    url,
    `select coalesce(max(h.seq), 0)::int as seq from chain_heads h join ledgers l using (ledger_id)
     join organisations o using (org_id)
     where o.name = 'growth' and l.mode = 'live' and h.chain = 'decisions'`,
  );
  return seq;
}

/** @param {import('../support/growth-steps.js').Grown} grown */
async function measureStage(grown) {
  const steps = { ...(await measureSize(grown)), ...(await measureReads(grown)) };
  Object.assign(steps, await measureVerification(grown), await measureSuggestions(grown));
  // Last, because it adds decisions.
  return Object.assign(steps, await measureAppends(grown));
}

/**
 * Each figure at each size, and the largest size beside the smallest one.
 * @param {readonly Stage[]} stages
 * @returns {import('../support/figures.js').PhaseResult}
 */
function report(stages) {
  const [first] = stages;
  const last = stages[stages.length - 1];
  const show = (/** @type {number} */ size) => size.toLocaleString('en');
  const titles = Object.keys(first.steps);
  return {
    ratios: titles.map((title) => ({
      title: `${title}: ${show(last.size)} records ÷ ${show(first.size)}`,
      values: [last.steps[title].value / first.steps[title].value],
    })),
    details: titles.flatMap((title) =>
      stages.map(({ size, steps }) => ({
        title: `${title}, ${show(size)} records`,
        unit: steps[title].unit,
        values: [steps[title].value],
      })),
    ),
    notes: [],
  };
}
