import { agentName } from '../support/decisions.js';
import { median, ratios, takeTurns } from '../support/figures.js';
import { fill } from '../support/fill.js';
import { runLoad } from '../support/load.js';
import { checkpoint, query } from '../support/sql.js';

const LIMIT = 50;
const PATIENCE_SECONDS = 240;
const SIZES = { small: 10_000, large: 1_000_000, fallback: 200_000 };
/** More than two transactions, so that the middle has another time than the first decision. */
const SMOKE_SIZES = { small: 100, large: 2500, fallback: 2500 };
const KINDS = ['first page', 'page in the middle', 'page of one agent'];

export const pages = {
  name: 'pages',
  needsPostgres: true,
  /**
   * @param {import('../run.js').Bench} bench
   * @returns {Promise<import('../support/figures.js').PhaseResult>}
   */
  async run({ services, seconds, rounds, smoke }) {
    const sizes = smoke ? SMOKE_SIZES : SIZES;
    const service = await services.start();
    const small = await service.createOrganisation('small');
    const large = await service.createOrganisation('large');
    const speed = await fill(service, small, sizes.small);
    const size = sizes.large / speed > PATIENCE_SECONDS ? sizes.fallback : sizes.large;
    await fill(service, large, size);
    await query(service.databaseUrl, 'vacuum (analyze) decisions');
    await checkpoint(service.databaseUrl);
    const results = [];
    for (const kind of KINDS) {
      const paths = {
        small: await pathOf(service, kind, 'small', small),
        large: await pathOf(service, kind, 'large', large),
      };
      const load = { what: /** @type {const} */ ('page'), url: service.url, connections: 1 };
      const turn = { ...load, seconds: Math.min(seconds, 3) };
      const turns = await takeTurns(rounds, {
        large: () => runLoad({ ...turn, path: paths.large, key: large }),
        small: () => runLoad({ ...turn, path: paths.small, key: small }),
      });
      results.push({ kind, large: p50s(turns.large), small: p50s(turns.small) });
    }
    await service.stop();
    return report(results, size.toLocaleString('en'), sizes.small.toLocaleString('en'));
  },
};

/** @param {readonly import('../support/load.js').Load[]} loads */
const p50s = (loads) => loads.map(({ p50 }) => p50);

/**
 * @param {readonly { kind: string, large: number[], small: number[] }[]} results
 * @param {string} large
 * @param {string} small
 * @returns {import('../support/figures.js').PhaseResult}
 */
function report(results, large, small) {
  const [first, ...others] = results.map((result) => ({
    title: `GET /decisions p50, ${result.kind}: ${large} records ÷ ${small}`,
    values: ratios(result.large, result.small),
    goal: 1.2,
    goalIs: /** @type {const} */ ('most'),
  }));
  const details = results.flatMap((result) => [
    { title: `${result.kind}, ${large} records: p50`, unit: 'ms', values: result.large },
    { title: `${result.kind}, ${small} records: p50`, unit: 'ms', values: result.small },
  ]);
  const slowest = Math.max(...results.map((result) => median(result.large)));
  const notes = [`The slowest kind of page takes ${slowest.toFixed(1)} ms at ${large} records.`];
  return { ratios: [first, ...others], details, notes };
}

/**
 * The request for a kind of page, after checking that it returns a full page.
 * @param {import('../support/service.js').Service} service
 * @param {string} kind
 * @param {string} organisation
 * @param {string} key
 */
async function pathOf({ url, databaseUrl }, kind, organisation, key) {
  const [middle] = await query(
    databaseUrl,
    `select d.created_at from decisions d join ledgers l on l.ledger_id = d.ledger_id
     join organisations o on o.org_id = l.org_id
     where o.name = $1 and d.seq = (select seq / 2 from chain_heads h
       where h.ledger_id = l.ledger_id and chain = 'decisions')`,
    [organisation],
  );
  const search = new URLSearchParams({ limit: String(LIMIT) });
  if (kind === 'page in the middle') search.set('end', middle.created_at.toISOString());
  if (kind === 'page of one agent') search.set('agent_id', agentName(0));
  const path = `/api/v1/decisions?${search}`;
  const answer = await fetch(url + path, { headers: { 'x-ledger-key': key } });
  const { data } = await answer.json();
  if (data?.decisions.length !== LIMIT && organisation !== 'small') {
    throw new Error(`${path} answered ${data?.decisions.length} decisions`);
  }
  return path;
}
