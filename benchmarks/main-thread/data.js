import { createHash } from 'node:crypto';
import { api } from './client.js';
import { serveMetered } from './service.js';

/** What the service holds when requests are measured. */
const SIZE = {
  decisions: 20_000,
  events: 2000,
  named: 500,
  large: 12,
  rates: 1000,
  actionTypes: 1000,
};
/** Agents by hours: a timeline by both has as many rows as it may have. */
const AGENTS = 82;
const HOURS = 100;
const CUSTOMERS = 1000;
const ACTION_TYPES = 120;
export const FIRST = Date.UTC(2026, 2, 1);
const HOUR_MS = 3_600_000;
export const STRIPE_SECRET = 'whsec_0123456789abcdefghijklmnopqrstuv';
const PAYLOAD_BYTES = 256 * 1024;

/** @typedef {Awaited<ReturnType<typeof fill>>} World */

/**
 * Fills the live ledger with many records and the test ledger with large ones.
 * @param {import('./service.js').Metered} service
 * @param {number} share of the full size
 */
export async function fill(service, share) {
  const size = Object.fromEntries(
    Object.entries(SIZE).map(([name, count]) => [name, Math.ceil(count * share)]),
  );
  const [live, test] = [api(service.url, service.live), api(service.url, service.test)];
  const named = await nameMany(live, size.named);
  // Scoring an event takes less time while there are no decisions.
  const events = await recordEvents(live, size.events);
  const decisions = await recordDecisions(live, size.decisions, share);
  const links = await recordLinks(live, events, decisions);
  const exported = await exportAll(live);
  const large = await recordLarge(test, size.large);
  const upload = await sendLargest(live, share);
  await live.patch('/settings', largestSettings(size));
  const webhook = await live.post('/keys', { name: 'webhook', permissions: ['webhook'] });
  const { ledger_id: ledgerId } = await live.get('/me');
  return {
    ...service,
    share,
    size,
    live,
    test,
    decisions,
    events,
    links,
    large,
    upload,
    ...named,
    exported,
    ledgerId,
    webhook: webhook.key,
  };
}

/**
 * The same data behind a new process, in which nothing is compiled yet.
 * @param {World} world
 * @param {string} folder
 * @returns {Promise<World>}
 */
export async function reopen(world, folder) {
  await world.stop();
  const service = await serveMetered(folder);
  const [live, test] = [api(service.url, world.live.key), api(service.url, world.test.key)];
  return { ...world, ...service, live, test };
}

/** @param {import('./client.js').Api} live @param {number} count @param {number} share */
async function recordDecisions(live, count, share) {
  /** @type {string[]} */
  const ids = [];
  const hours = Math.max(1, Math.round(HOURS * share));
  for (let from = 0; from < count; from += 100) {
    const decisions = Array.from({ length: Math.min(100, count - from) }, (_, at) =>
      decision(from + at, hours),
    );
    const answer = await live.post('/decisions/batch', { decisions });
    for (const { decision_id } of answer.decisions) ids.push(decision_id);
  }
  return ids;
}

/** @param {number} n @param {number} hours */
function decision(n, hours) {
  return {
    agent_id: `agent-${Math.floor(n / hours) % AGENTS}`,
    action_type: `type-${n % ACTION_TYPES}`,
    inputs: {
      order_id: `A-${n}`,
      order_total: `${20 + (n % 900)}.50`,
      text: 'as the customer said '.repeat(8),
    },
    outputs: { approved: n % 3 > 0, amount: `${10 + (n % 500)}.25`, currency: 'USD' },
    confidence: (n % 100) / 100,
    human_in_loop: n % 7 === 0,
    metadata: {
      customer_id: `C-${n % CUSTOMERS}`,
      order_id: `A-${n}`,
      experiment: { id: 'tone', arm: n % 2 === 0 ? 'plain' : 'warm' },
    },
    timestamp: new Date(FIRST + (n % hours) * HOUR_MS + n * 10).toISOString(),
  };
}

/** @param {import('./client.js').Api} live @param {number} count */
function recordEvents(live, count) {
  return eachOf(count, async (n) => {
    const event = await live.post('/financial-events', {
      source: 'shop',
      event_type: n % 5 === 0 ? 'refund' : 'payment',
      amount: `${10 + (n % 500)}.50`,
      currency: n % 4 === 0 ? 'EUR' : 'USD',
      // Most happened before all decisions, so that their scores take little time.
      timestamp: new Date(
        FIRST + (n % 10 === 0 ? 1 : -1) * (1 + (n % HOURS)) * HOUR_MS,
      ).toISOString(),
      external_id: `E-${n}`,
      metadata: { order_id: `A-${n * 5}`, customer_id: `C-${(n * 5) % CUSTOMERS}` },
    });
    return event.id;
  });
}

/**
 * Four events of five get a link.
 * @param {import('./client.js').Api} live
 * @param {readonly string[]} events
 * @param {readonly string[]} decisions
 */
function recordLinks(live, events, decisions) {
  return eachOf(Math.floor(events.length * 0.8), async (n) => {
    const link = await live.post('/links', {
      decision_id: decisions[(n * 7 + 1) % decisions.length],
      financial_event_id: events[n],
      correlation_strength: 0.9,
      link_type: n % 5 === 0 ? 'refund' : 'revenue',
      attribution_method: 'manual',
    });
    return link.id;
  });
}

/**
 * @param {number} count
 * @param {(n: number) => Promise<string>} make
 * @returns {Promise<string[]>} in order
 */
async function eachOf(count, make) {
  /** @type {string[]} */
  const made = [];
  let next = 0;
  const work = async () => {
    while (next < count) {
      const n = next++;
      made[n] = await make(n);
    }
  };
  await Promise.all(Array.from({ length: 8 }, work));
  return made;
}

/** Decisions and events whose payload is as large as it may be, and nearly all of it members. */
/** @param {import('./client.js').Api} test @param {number} count */
async function recordLarge(test, count) {
  const decisions = [];
  const events = [];
  for (let n = 0; n < count; n += 1) {
    const { decision_id } = await test.post('/decisions', largeDecision(n, 1));
    decisions.push(decision_id);
    const { id } = await test.post('/financial-events', largeEvent(n, 1));
    events.push(id);
  }
  return { decisions, events };
}

const CHUNK = 1024 * 1024;

/**
 * A decision with the largest upload, and another upload whose last chunk is left to send: its digest is wrong, so that
 * it can be sent again.
 * @param {import('./client.js').Api} live @param {number} share
 */
async function sendLargest(live, share) {
  const size = Math.floor(64 * share) * CHUNK;
  const bytes = Buffer.alloc(size, JSON.stringify({ order_id: 'A-1', amount: 12.5 }));
  const last = bytes.subarray(size - CHUNK);
  const [whole, open] = [createHash('sha256').update(bytes).digest('hex'), '0'.repeat(64)];
  const send = async (/** @type {string} */ sha256, /** @type {number} */ until) => {
    const upload = await live.post('/uploads', { size, sha256, media_type: 'application/json' });
    for (let at = 0; at < until; at += CHUNK) {
      const chunk = bytes.subarray(at, at + CHUNK);
      await live.append(`/uploads/${upload.upload_id}?offset=${at}`, chunk);
    }
    return upload.upload_id;
  };
  const { decision_id } = await live.post('/decisions', {
    ...{ agent_id: 'large', action_type: 'upload', confidence: 0.5, inputs: {} },
    outputs: { $upload: await send(whole, size) },
  });
  const offset = size - CHUNK;
  return { decision: decision_id, id: await send(open, offset), offset, last };
}

/** @param {number} n @param {number} share */
export function largeDecision(n, share) {
  const bytes = Math.floor((PAYLOAD_BYTES * share) / 1.05);
  return {
    agent_id: 'large',
    action_type: `large-${n}`,
    confidence: 0.5,
    inputs: members(bytes, 12),
    outputs: members(bytes, 40),
    alternatives: [members(bytes - 100, 12)],
    metadata: { customer_id: 'C-1', ...members(bytes * 0.9, 12) },
  };
}

/** @param {number} n @param {number} share */
export function largeEvent(n, share) {
  return {
    source: 'shop',
    event_type: 'payment',
    amount: '10.50',
    currency: 'USD',
    timestamp: new Date(FIRST + n).toISOString(),
    external_id: `L-${n}-${share}`,
    metadata: { customer_id: 'C-1', ...members((PAYLOAD_BYTES * share) / 1.05 - 100, 12) },
  };
}

/** An object of members that are not in order. @param {number} bytes @param {number} value bytes of a value */
export function members(bytes, value) {
  const count = Math.floor(bytes / (value + 13));
  const text = 'x'.repeat(value);
  return Object.fromEntries(
    Array.from({ length: count }, (_, n) => [
      `k${String((n * 7919) % count).padStart(6, '0')}`,
      text,
    ]),
  );
}

/** @param {import('./client.js').Api} live @param {number} count */
async function nameMany(live, count) {
  const keys = await eachOf(count, async (n) => {
    await live.post('/sessions', { name: `person ${n}`, permissions: ['read'] });
    return (await live.post('/keys', { name: `key ${n}`, permissions: ['read'] })).key_id;
  });
  return { keys };
}

const RANGE = { start_date: '2026-01-01T00:00:00Z', end_date: '2027-01-01T00:00:00Z' };

/** @param {import('./client.js').Api} live */
async function exportAll(live) {
  const { export_id } = await live.post('/exports', { export_type: 'forensic', ...RANGE });
  for (;;) {
    const { status } = await live.get(`/exports/${export_id}`);
    if (status === 'complete') return export_id;
    if (status === 'failed') throw new Error('the export failed');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** @param {Record<string, number>} size */
export function largestSettings({ rates, actionTypes }) {
  const types = Array.from({ length: actionTypes }, (_, n) => `type-${n}`);
  const byType = (/** @type {(n: number) => unknown} */ value) =>
    Object.fromEntries(types.map((type, n) => [type, value(n)]));
  return {
    exchange_rates: manyRates(rates),
    attribution: { half_life_hours_by_action_type: byType((n) => 1 + n) },
    otlp: { version: 1, preset: 'gen_ai_1.45' },
    transparency: { public: 'tree' },
    stripe: { signing_secrets: [STRIPE_SECRET] },
    liability: {
      matrix: byType(() => ({ likelihood: 'rare', severity: 'minor' })),
      benchmarks: byType(() => ({ loss_rate: 0.01, source: 'own', as_of: '2026-01-01' })),
    },
  };
}

/** @param {number} count */
export function manyRates(count) {
  return Array.from({ length: count }, (_, n) => ({
    from: n % 2 === 0 ? 'EUR' : 'GBP',
    to: 'USD',
    rate: `1.${100 + (n % 50)}`,
    date: new Date(Date.UTC(2013, 0, 1) + Math.floor(n / 2) * 24 * HOUR_MS)
      .toISOString()
      .slice(0, 10),
  }));
}
