import { createRandom } from '../random.js';
import { dayOf, MONTH_ENDS } from './calendar.js';
import { journalAt } from './journal.js';
import { BALANCE, BOOKS } from './service.js';
import { delivery } from './stripe.js';

/**
 * @typedef {Awaited<ReturnType<typeof import('./service.js').startService>>} Service
 * @typedef {{ post?: object, event?: object, time?: number, isEmpty?: boolean }} Step one of: a report of the shop, a
 *   webhook event, a poll of the journal as it stood at a time; isEmpty: while its file is synchronised
 */

const AT_ONCE = 12;
const PAUSE = 100;
const PATIENCE = 300_000;
const RELEASES = 3;
const MOST_POLLS = 30;
const DELIVERIES = 60;

/** In summer, one poll finds an empty file. */
const EMPTY = MONTH_ENDS[6] + 1;

/**
 * As it happened: the books are read at the end of each month.
 * @param {import('./business.js').Business} business
 * @returns {Step[]}
 */
export function inOrder({ posts, webhooks }) {
  const steps = [
    ...posts.map((post) => ({ at: post.arrives, post })),
    ...webhooks.map(({ arrives, event }) => ({ at: arrives, event })),
    ...MONTH_ENDS.map((time) => ({ at: time, time })),
    { at: EMPTY, time: EMPTY, isEmpty: true },
  ];
  return steps.sort((a, b) => a.at - b.at);
}

/**
 * In any order: the books are read in between, as they stood at quarters of the year.
 * @param {import('./business.js').Business} business
 * @param {number} seed
 * @returns {Step[]}
 */
export function shuffled({ posts, webhooks }, seed) {
  const random = createRandom(seed);
  const steps = [
    ...posts.map((post) => ({ at: random.next(), post })),
    ...webhooks.map(({ event }) => ({ at: random.next(), event })),
  ];
  const times = [2, 5, 8, MONTH_ENDS.length - 1].map((month) => MONTH_ENDS[month]);
  const polls = times.map((time, index) => ({ at: (index + 1) / times.length, time }));
  return [...steps, ...polls].sort((a, b) => a.at - b.at);
}

/**
 * Sends everything, and waits until the service has worked it through.
 * @param {Service} service
 * @param {import('./business.js').Business} business
 * @param {readonly Step[]} steps
 * @param {(text: string) => void} progress
 */
export async function feed(service, business, steps, progress) {
  const keys = new Map();
  let releases = 0;
  let sent = 0;
  let waiting = [];
  const flush = async () => {
    await inParallel(waiting, (step) => sendOne(service, step, keys));
    sent += waiting.length;
    waiting = [];
  };
  for (const step of steps) {
    if (step.time === undefined) waiting.push(step);
    else {
      await flush();
      progress(`${dayOf(step.time)}: ${sent} sent`);
      await pollBalance(service, step);
      progress('balance read');
      releases += await pollBooks(service, business.entries, step);
      progress('books read');
    }
  }
  await flush();
  await untilFollowed(service.api);
  progress('worked through');
  return { keys, releases };
}

async function inParallel(items, work) {
  const rest = items[Symbol.iterator]();
  const worker = async () => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

async function sendOne(service, { post, event }, keys) {
  if (event !== undefined) return deliver(service, event);
  const headers = { 'idempotency-key': post.key };
  for (let times = post.isRepeated ? 2 : 1; times > 0; times -= 1) {
    const { id } = await service.api.post('/financial-events', post.body, headers);
    keys.set(id, post.key);
  }
}

/**
 * Stripe delivers again what was not accepted.
 * @param {Pick<Service, 'webhook' | 'secret'>} service
 * @param {object} event
 */
export async function deliver({ webhook, secret }, event) {
  for (let tries = 1; ; tries += 1) {
    const { payload, signature } = delivery(event, secret);
    const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
    const answer = await fetch(webhook, { method: 'POST', headers, body: payload });
    const text = await answer.text();
    if (answer.ok) return;
    if (answer.status !== 503 || tries === DELIVERIES) {
      throw new Error(`${event.type}: ${answer.status} ${text}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 10 * PAUSE));
  }
}

/** A long history is read over several polls. */
async function pollBalance({ api, account }, { time }) {
  account.setTime(time);
  let before = (await untilPolled(api, BALANCE, null)).polled_at;
  for (let polls = 0; polls < MOST_POLLS; polls += 1) {
    await api.post(`/accounting/connections/${BALANCE}/poll`);
    const { polled_at: polledAt, problem } = await untilPolled(api, BALANCE, before);
    if (problem === null) return;
    if (!problem.includes('than one poll reads')) throw new Error(`Stripe's balance: ${problem}`);
    before = polledAt;
  }
  throw new Error(`Stripe's balance was not read to its end in ${MOST_POLLS} polls`);
}

/**
 * The bookkeeper knows when the books are right, and releases what is withheld then.
 * @returns how often
 */
async function pollBooks({ api, books }, entries, { time, isEmpty = false }) {
  books.write(isEmpty ? '' : journalAt(entries, time));
  const before = (await untilPolled(api, BOOKS, null)).polled_at;
  await api.post(`/accounting/connections/${BOOKS}/poll`);
  let state = await untilPolled(api, BOOKS, before);
  if (isEmpty) return 0;
  let releases = 0;
  for (; state.withheld !== null && releases < RELEASES; releases += 1) {
    await api.post(`/accounting/connections/${BOOKS}/release`, { plan: state.withheld.plan });
    state = await untilPolled(api, BOOKS, state.polled_at);
  }
  if (state.withheld === null) return releases;
  throw new Error(`the books are withheld after ${RELEASES} releases: ${state.problem}`);
}

/**
 * @param {Service['api']} api
 * @param {string} connection
 * @param {string | null} before the time of an earlier poll
 */
export async function untilPolled(api, connection, before) {
  const end = Date.now() + PATIENCE;
  while (Date.now() < end) {
    const { connections } = await api.get('/accounting/connections');
    const state = connections.find(({ id }) => id === connection);
    if (state.polled_at !== before && !state.is_poll_pending) return state;
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
  throw new Error(`${connection} was not polled within ${PATIENCE / 1000} s`);
}

/**
 * Until nothing is due and no follower is behind that figures depend on: checkpoints are made by the clock.
 * @param {import('./service.js').Api} api
 */
export async function untilFollowed(api) {
  let end = Date.now() + PATIENCE;
  let state = '';
  while (Date.now() < end) {
    const { followers } = await api.get('/followers');
    const left = followers
      .filter(({ name }) => name !== 'checkpoints')
      .map(({ logs, due }) => [logs.map(({ lag_records: lag }) => lag), due?.waiting ?? 0].flat());
    if (left.flat().every((count) => count === 0)) return followers;
    if (state !== left.join()) {
      state = left.join();
      end = Date.now() + PATIENCE;
    }
    await new Promise((resolve) => setTimeout(resolve, 2 * PAUSE));
  }
  throw new Error('the followers do not catch up');
}
