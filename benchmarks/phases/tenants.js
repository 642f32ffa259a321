import { Agent, request } from 'node:http';
import { fillDistinct, fillMoney } from '../support/fill.js';
import { drain } from '../support/watch.js';

const FULL = { decisions: 20_000, events: 1000, seconds: 10, connections: 32 };
const SMOKE = { decisions: 200, events: 10, seconds: 0.3, connections: 2 };
/** The requests of the other tenant and of a monitor are due in this interval, in ms. */
const EVERY_MS = 25;
const YEAR_MS = 365 * 86_400_000;
const PAGE = 500;
const MEMBERS = 90_000;
const BODY = `{${Array.from({ length: MEMBERS }, (_, n) => `"m${n}":1`).join()}}`;

/** @typedef {{ method?: string, path: string, body?: string }} Ask */

/** The most expensive requests that a tenant may make. @returns {readonly Ask[]} */
function mostExpensive() {
  const now = Date.now();
  const days = (/** @type {number} */ count) =>
    `start=${new Date(now - count * 86_400_000).toISOString()}&end=${new Date(now).toISOString()}`;
  return [
    { path: `/analytics/timeline?${days(60)}&bucket=hour&group_by=agent&format=csv` },
    { path: `/analytics/timeline?${days(300)}&bucket=day&group_by=agent` },
    { path: `/analytics/agents?limit=${PAGE}&format=csv` },
    { path: `/analytics/liability?${days(300)}&top=100` },
    { path: `/analytics/ai-pnl/rows?limit=${PAGE}&format=csv` },
    { path: `/decisions?limit=${PAGE}` },
    { path: '/search?q=C-1&limit=500' },
    { path: `/reviews?limit=${PAGE}` },
    { method: 'POST', path: '/decisions', body: BODY },
    {
      method: 'PATCH',
      path: '/settings?dry_run=true',
      body: '{"liability":{"response_cost":"12.00"}}',
    },
  ];
}

/** The latency of a small tenant and of /healthz, while another tenant sends its most expensive requests. */
export const tenants = {
  name: 'tenants',
  needsPostgres: true,
  /**
   * @param {import('../run.js').Bench} bench
   * @returns {Promise<import('../support/figures.js').PhaseResult>}
   */
  async run({ services, smoke }) {
    const { decisions, events, seconds, connections } = smoke ? SMOKE : FULL;
    const service = await services.start();
    const keys = {
      small: await service.createOrganisation('small tenant'),
      large: await service.createOrganisation('large tenant'),
    };
    await fillDistinct(service, keys.small, 100, 1);
    await fillDistinct(service, keys.large, decisions, 1, YEAR_MS / 2);
    await fillMoney(service, keys.large, events);
    if (!smoke) await drain(service.url, keys.large);
    const agents = [new Agent({ keepAlive: true }), new Agent({ keepAlive: true })];
    const small = clientOf(service.url, keys.small, agents[0]);
    const large = clientOf(service.url, keys.large, agents[1]);
    const alone = await probe(small, seconds);
    const attack = keepAsking(large, connections);
    const beside = await probe(small, seconds);
    const asked = await attack.stop();
    for (const agent of agents) agent.destroy();
    await service.stop();
    return report({ alone, beside, asked, seconds });
  },
};

/** @typedef {(ask: Ask) => Promise<{ status: number, ms: number }>} Client */

/** @param {string} url @param {string} key @param {Agent} agent @returns {Client} */
function clientOf(url, key, agent) {
  return ({ method = 'GET', path, body }) => {
    const started = performance.now();
    const headers = { 'x-ledger-key': key, 'content-type': 'application/json' };
    return new Promise((resolve, reject) => {
      const sent = request(`${url}/api/v1${path}`, { method, headers, agent }, (answer) => {
        answer.resume();
        answer.once('error', reject);
        answer.once('end', () => {
          resolve({ status: answer.statusCode ?? 0, ms: performance.now() - started });
        });
      });
      sent.once('error', reject);
      sent.end(body);
    });
  };
}

const SMALL = {
  'POST /decisions': {
    method: 'POST',
    path: '/decisions',
    body: JSON.stringify({
      ...{ agent_id: 'small', action_type: 'refund', confidence: 0.9 },
      ...{ inputs: { order: 'A-1' }, outputs: { refund: '10.00' } },
    }),
  },
  'GET /decisions?limit=50': { path: '/decisions?limit=50' },
  'GET /analytics/ai-pnl': { path: '/analytics/ai-pnl' },
  'GET /healthz': { path: '/healthz' },
};

/**
 * Sends each request of the small tenant at its scheduled times.
 * @param {Client} ask
 * @param {number} seconds
 * @returns {Promise<Map<string, number[]>>} the latencies, in ms, of each
 */
async function probe(ask, seconds) {
  const titles = /** @type {(keyof typeof SMALL)[]} */ (Object.keys(SMALL));
  const found = new Map(titles.map((title) => [String(title), /** @type {number[]} */ ([])]));
  /** @type {Promise<void>[]} */
  const open = [];
  const started = performance.now();
  for (let n = 0; n * EVERY_MS < seconds * 1000; n += 1) {
    const title = titles[n % titles.length];
    const due = started + n * EVERY_MS;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
    open.push(
      ask(SMALL[title]).then(({ status }) => {
        if (status >= 300) throw new Error(`${title} was answered with ${status}`);
        found.get(title)?.push(performance.now() - due);
      }),
    );
  }
  await Promise.all(open);
  return found;
}

/** @param {Client} ask @param {number} connections */
function keepAsking(ask, connections) {
  const asks = mostExpensive();
  let isOver = false;
  let answered = 0;
  const work = async (/** @type {number} */ from) => {
    for (let n = from; !isOver; n += 1) {
      const { status } = await ask(asks[n % asks.length]);
      if (status >= 500 && status !== 503) throw new Error(`a request was answered with ${status}`);
      answered += 1;
    }
  };
  const working = Promise.all(Array.from({ length: connections }, (_, n) => work(n)));
  return {
    async stop() {
      isOver = true;
      await working;
      return answered;
    },
  };
}

/**
 * @param {{ alone: Map<string, number[]>, beside: Map<string, number[]>, asked: number, seconds: number }} measured
 * @returns {import('../support/figures.js').PhaseResult}
 */
function report({ alone, beside, asked, seconds }) {
  const at = (/** @type {readonly number[]} */ values, /** @type {number} */ share) =>
    [...values].sort((a, b) => a - b)[
      Math.min(values.length - 1, Math.floor(values.length * share))
    ];
  const details = [...beside].flatMap(([title, values]) => {
    const before = alone.get(title) ?? [];
    return [
      { title: `${title}: p50 beside the other tenant`, unit: 'ms', values: [at(values, 0.5)] },
      { title: `${title}: p99 beside the other tenant`, unit: 'ms', values: [at(values, 0.99)] },
      { title: `${title}: p99 alone`, unit: 'ms', values: [at(before, 0.99)] },
    ];
  });
  const health = beside.get('GET /healthz') ?? [];
  const slower = [...beside].map(([title, values]) => ({
    title: `${title}, p99: beside the most expensive requests of a tenant ÷ alone`,
    values: [at(values, 0.99) / at(alone.get(title) ?? [], 0.99)],
  }));
  return {
    ratios: [
      {
        title: 'GET /healthz beside the most expensive requests of a tenant: most, ms',
        ...{ goal: 250, goalIs: 'most', values: [Math.max(...health)] },
      },
      ...slower,
    ],
    details: [
      ...details,
      { title: 'expensive requests answered', unit: '/s', values: [asked / seconds] },
    ],
    notes: [],
  };
}
