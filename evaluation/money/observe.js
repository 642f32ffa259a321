import { digitsOf } from './currencies.js';
import { untilFollowed } from './feed.js';

/**
 * What the service says, with the keys of the reports that it made its events of.
 * @typedef {object} Observed
 * @property {Map<string, Seen>} reports by key
 * @property {Set<string>} queue pairs of keys that somebody is asked about
 * @property {{ currency: string, total: string | null }[]} totals
 * @property {object[]} reported the lines of all that was reported, by currency
 * @property {Map<string, Payout>} payouts by id
 * @property {number} events
 *
 * @typedef {{ amount: number, parts: { sum: number, difference: number } | null }} Payout what the service says of a
 *   payout of Stripe
 * @typedef {{ id: string, group: string, counted: number, amount: number, currency: string }} Seen an event; group: the
 *   movement that the service put it into; sums are in minor units
 */

const PATIENCE = 120_000;
const PAUSE = 500;

/**
 * @param {import('./service.js').Api} api
 * @param {Map<string, string>} keys of the shop's reports, by id of event
 * @param {ReadonlySet<string>} needed the keys of all reports
 * @param {(text: string) => void} progress
 * @returns {Promise<Observed>}
 */
export async function observe(api, keys, needed, progress) {
  const events = await allEvents(api, keys, needed, progress);
  progress(`${events.length} events read`);
  const rows = await api.all('/analytics/ai-pnl/rows?figure=total', 'rows');
  const counted = new Map();
  for (const { financial_event_id: id, amount } of rows) {
    counted.set(id, (counted.get(id) ?? 0) + Number(amount));
  }
  const keyOfId = new Map(events.map((event) => [event.id, keyOf(event, keys)]));
  const reports = new Map();
  for (const { id, currency, amount, movement } of events) {
    const scale = 10 ** digitsOf(currency);
    const minor = Math.round((counted.get(id) ?? 0) * scale);
    const about = { id, group: movement.reports[0], counted: minor };
    reports.set(keyOfId.get(id), {
      ...about,
      amount: Math.round(Number(amount) * scale),
      currency,
    });
  }
  const { by_currency: totals, reported } = await api.get('/analytics/ai-pnl');
  const payouts = await readPayouts(api, events);
  const queue = await readQueue(api, keyOfId);
  return { reports, totals, reported, payouts, events: events.length, queue };
}

async function readPayouts(api, events) {
  const payouts = new Map();
  for (const { id, source, event_type: type, external_id: reference } of events) {
    if (source !== 'stripe' || type !== 'payout') continue;
    const { amount, currency, movement } = await api.get(`/financial-events/${id}`);
    const minor = (text) => Math.round(Number(text) * 10 ** digitsOf(currency));
    const { sum, difference } = movement.parts ?? {};
    payouts.set(reference, {
      amount: minor(amount),
      parts: sum === undefined ? null : { sum: minor(sum), difference: minor(difference) },
    });
  }
  return payouts;
}

/** Webhook events are worked through in the background: until all reports have an event, or no more get one. */
async function allEvents(api, keys, needed, progress) {
  let missing = needed.size + 1;
  let end = Date.now() + PATIENCE;
  for (;;) {
    const begun = Date.now();
    const events = await api.all('/financial-events', 'financial_events');
    const found = new Set(events.map((event) => keyOf(event, keys)));
    const left = [...needed].filter((key) => !found.has(key)).length;
    if (left < missing) end = Date.now() + PATIENCE;
    missing = left;
    progress(`${left} reports have no event yet`);
    if (left === 0 || Date.now() > end) break;
    await new Promise((resolve) => setTimeout(resolve, Math.max(PAUSE, 2 * (Date.now() - begun))));
  }
  await untilFollowed(api);
  progress('worked through');
  return api.all('/financial-events', 'financial_events');
}

/** Which report an event was made of. */
function keyOf({ id, source, external_id: reference, event_type: type, metadata = {} }, keys) {
  if (source === 'stripe') return `stripe ${reference} ${type}`;
  if (!source.startsWith('accounting/')) return keys.get(id) ?? `${source} ${id}`;
  return `books ${metadata.voucher} ${metadata.account}`;
}

async function readQueue(api, keyOfId) {
  const asked = await api.all('/movements/same-money', 'reports');
  const pairs = new Set();
  for (const { report, possible } of asked) {
    for (const { financial_event: other } of possible) {
      const [one, two] = [keyOfId.get(report.id), keyOfId.get(other.id)];
      pairs.add(pairKey(one, two));
    }
  }
  return pairs;
}

/** @param {string} one @param {string} two */
export const pairKey = (one, two) => [one, two].sort().join(' + ');
