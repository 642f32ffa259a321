import { fillDistinct } from '../support/fill.js';
import {
  drainByWorker,
  measureAppends,
  measureReads,
  measureSize,
  measureSuggestions,
  measureVerification,
} from '../support/growth-steps.js';
import { checkpoint, query } from '../support/sql.js';

const SIZES = [10_000, 1_000_000, 10_000_000];
/** Of one size: the steps are the same at each. */
const SMOKE_SIZES = [300];
/** Decisions of each size that cause an event. */
const EVENTS = 2000;
const SMOKE_EVENTS = 10;
const SPAN_MS = 90 * 86_400_000;

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
  async run({ services, seconds, rounds, smoke }) {
    const service = await services.start({ LEDGER_ROLE: 'api' });
    const key = await service.createOrganisation('growth');
    const scale = { seconds: Math.min(seconds, 3), rounds: Math.min(rounds, 3) };
    /** @type {Stage[]} */
    const stages = [];
    for (const [place, size] of (smoke ? SMOKE_SIZES : SIZES).entries()) {
      const recorded = await recordedIn(service.databaseUrl);
      const known = await fillDistinct(
        ...[service, key, size - recorded, smoke ? SMOKE_EVENTS : EVENTS, SPAN_MS, place],
      );
      await drainByWorker(service, key);
      await query(service.databaseUrl, 'vacuum (analyze)');
      await checkpoint(service.databaseUrl);
      const grown = { service, name: 'growth', key, records: size, known, ...scale };
      stages.push({ size, steps: await measureStage(grown) });
    }
    await service.stop();
    return report(stages);
  },
};

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
