import { findRecords } from '../../packages/server/dist/domains/answers/search/find.js';
import { ledgerContext, openLedger } from '../../packages/server/dist/platform/ledger.js';
import { ratios, takeTurns } from '../support/figures.js';
import { fillDistinct } from '../support/fill.js';
import { BATCH, runLoad } from '../support/load.js';
import { measureService } from '../support/measure.js';
import { checkpoint, query, withClient } from '../support/sql.js';

const SIZES = { small: 10_000, large: 1_000_000 };
const SMOKE_SIZES = { small: 300, large: 600 };
const CONNECTIONS = 8;
const MAX_ROUNDS = 3;
const TERMS = 'create index decisions_by_term on decisions using gin (terms)';

/** Searches in a large ledger, the plan of their statement, and what the index costs an append. */
export const search = {
  name: 'search',
  needsPostgres: true,
  /**
   * @param {import('../run.js').Bench} bench
   * @returns {Promise<import('../support/figures.js').PhaseResult>}
   */
  async run({ services, seconds, rounds, smoke }) {
    const sizes = smoke ? SMOKE_SIZES : SIZES;
    const service = await services.start();
    const ledgers = {
      small: await fillLedger(service, 'small', sizes.small),
      large: await fillLedger(service, 'large', sizes.large),
    };
    await query(service.databaseUrl, 'vacuum (analyze)');
    await checkpoint(service.databaseUrl);
    const asked = await askBoth(service, ledgers, rounds, Math.min(seconds, 3));
    const plans = await explain(service.databaseUrl, ledgers.large);
    const appends = await measureAppends(service, ledgers.large.key, seconds, rounds);
    await service.stop();
    return report(sizes, asked, plans, appends);
  },
};

/**
 * @param {import('../support/service.js').Service} service
 * @param {string} name
 * @param {number} count
 */
async function fillLedger(service, name, count) {
  const key = await service.createOrganisation(name);
  const [, found] = await fillDistinct(service, key, count, 3);
  const { reservation_id: rare, conversation_id: frequent } = found.metadata;
  return { name, key, texts: { rare, frequent, absent: 'no-such-value' } };
}

/** @typedef {Awaited<ReturnType<typeof fillLedger>>} Filled */

/**
 * @param {import('../support/service.js').Service} service
 * @param {{ small: Filled, large: Filled }} ledgers
 * @param {number} rounds
 * @param {number} seconds
 */
async function askBoth({ url }, ledgers, rounds, seconds) {
  const results = [];
  for (const kind of /** @type {const} */ (['rare', 'frequent', 'absent'])) {
    const turn = (/** @type {Filled} */ { key, texts }) => {
      const path = `/api/v1/search?q=${encodeURIComponent(texts[kind])}`;
      return () => runLoad({ what: 'page', url, key, connections: 1, seconds, path });
    };
    const turns = await takeTurns(rounds, {
      large: turn(ledgers.large),
      small: turn(ledgers.small),
    });
    const p50s = (/** @type {readonly import('../support/load.js').Load[]} */ loads) =>
      loads.map(({ p50 }) => p50);
    results.push({ kind, large: p50s(turns.large), small: p50s(turns.small) });
  }
  return results;
}

/**
 * Runs the statements of a search under EXPLAIN.
 * @param {string} databaseUrl
 * @param {Filled} ledger
 */
async function explain(databaseUrl, { name, texts }) {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query(
      `select l.ledger_id, l.org_id, l.mode from ledgers l join organisations o using (org_id)
       where o.name = $1 and l.mode = 'live'`,
      [name],
    );
    const [{ ledger_id: ledgerId, org_id: orgId, mode }] = rows;
    /** @type {string[]} */
    const nodes = [];
    const db = {
      async query(/** @type {{ text: string, values: unknown[] }} */ { text, values }) {
        if (!text.includes('from found')) return (await client.query(text, values)).rows;
        const explained = await client.query(
          `explain (analyze, buffers, format json) ${text}`,
          values,
        );
        nodes.push(...nodesOf(explained.rows[0]['QUERY PLAN'][0].Plan));
        return [];
      },
      transaction: () => Promise.reject(new Error('a search only reads')),
    };
    const ledger = openLedger(db, { ledgerId, orgId, mode }, ledgerContext());
    for (const text of Object.values(texts))
      await findRecords(ledger, text, { after: null, limit: 50 });
    return nodes;
  });
}

/**
 * The scans of a plan that read decisions or events.
 * @param {any} plan
 * @returns {string[]}
 */
function nodesOf(plan) {
  const own =
    'Index Name' in plan || plan['Node Type'] === 'Seq Scan'
      ? [`${plan['Node Type']} ${plan['Index Name'] ?? plan['Relation Name']}`]
      : [];
  return [...own, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

/**
 * Appends to the large ledger with the index and without it, by turns.
 * @param {import('../support/service.js').Service} service
 * @param {string} key
 * @param {number} seconds
 * @param {number} rounds
 */
async function measureAppends(service, key, seconds, rounds) {
  const { databaseUrl, url } = service;
  const load = { what: /** @type {const} */ ('batch'), key, connections: CONNECTIONS };
  const measure = async () => {
    await checkpoint(databaseUrl);
    return measureService(service, { ...load, url, seconds });
  };
  return takeTurns(Math.min(rounds, MAX_ROUNDS), {
    with: measure,
    without: async () => {
      await query(databaseUrl, 'drop index decisions_by_term');
      const measured = await measure();
      await query(databaseUrl, TERMS);
      return measured;
    },
  });
}

/**
 * @param {typeof SIZES} sizes
 * @param {Awaited<ReturnType<typeof askBoth>>} asked
 * @param {readonly string[]} plans
 * @param {Awaited<ReturnType<typeof measureAppends>>} appends
 * @returns {import('../support/figures.js').PhaseResult}
 */
function report(sizes, asked, plans, appends) {
  const [large, small] = [sizes.large, sizes.small].map((size) => size.toLocaleString('en'));
  const perSecond = (/** @type {readonly { perSecond: number }[]} */ all) =>
    all.map((one) => one.perSecond * BATCH);
  const [withIndex, without] = [perSecond(appends.with), perSecond(appends.without)];
  const scans = plans.filter((node) => node.startsWith('Seq Scan'));
  return {
    ratios: [
      ...asked.map((one) => ({
        title: `GET /search p50, ${one.kind} value: ${large} records ÷ ${small}`,
        values: ratios(one.large, one.small),
      })),
      {
        title: 'POST /decisions/batch: with the index of terms ÷ without',
        values: ratios(withIndex, without),
      },
    ],
    details: [
      ...asked.flatMap((one) => [
        {
          title: `GET /search, ${one.kind} value, ${large} records: p50`,
          unit: 'ms',
          values: one.large,
        },
        {
          title: `GET /search, ${one.kind} value, ${small} records: p50`,
          unit: 'ms',
          values: one.small,
        },
      ]),
      { title: 'POST /decisions/batch with the index', unit: 'decisions/s', values: withIndex },
      { title: 'POST /decisions/batch without it', unit: 'decisions/s', values: without },
    ],
    notes: [
      `search: of ${large} records, the plans read ${[...new Set(plans)].sort().join(', ')}` +
        (scans.length === 0 ? '; no table of records as a whole.' : '.'),
    ],
  };
}
