// The product's method through a running service: its own job scores the events, its own queue asks.
import process from 'node:process';
import { Ledger } from '@decision-ledger/client';
import { startEmbedded } from '../benchmarks/support/service.js';
import { inOrder } from './method.js';

const PATIENCE = 60_000;
const PAUSE = 50;
/** Answers on the way at the same time. */
const AT_ONCE = 50;
/** A page of reviews. */
const MOST = 500;

/**
 * A new service on its embedded engine for each run. An audit shows no shares, so only the suggestions
 * of its event are ranked.
 * @type {import('./method.js').Method}
 */
export const service = {
  name: 'service',
  learns: true,
  async *run(world, options) {
    const started = await startEmbedded();
    const ledger = new Ledger({ url: started.url, key: started.key });
    try {
      yield* outcomesOf(ledger, world, options);
    } finally {
      await ledger.close();
      await started.stop();
    }
  },
};

async function* outcomesOf(ledger, world, options) {
  await ledger.settings.update(settingsOf(world));
  const refs = createRefs();
  const reviewer = createReviewer(ledger, refs, options);
  let waiting = [];
  let count = 0;
  for (const { decision, event } of inOrder(world)) {
    if (event === undefined) {
      waiting.push(decision);
      continue;
    }
    await recordAll(ledger, refs, waiting);
    waiting = [];
    const { id } = await ledger.events.create(bodyOf(event));
    refs.add(event.ref, id);
    yield await outcomeOf(ledger, refs, event, id);
    count += 1;
    await reviewer.ask(event, count);
    if (count % 100 === 0) process.stderr.write(`${world.name}: ${count} events\n`);
  }
}

function settingsOf({ settings: { base_currency, rates } }) {
  const exchange_rates = Object.entries(rates).flatMap(([from, byDay]) =>
    Object.entries(byDay).map(([date, rate]) => ({
      from,
      to: base_currency,
      date,
      rate: String(rate),
    })),
  );
  return { base_currency, exchange_rates };
}

/** The names of the world beside the ids of the service. */
function createRefs() {
  const [ids, refs] = [new Map(), new Map()];
  return {
    add(ref, id) {
      ids.set(ref, id);
      refs.set(id, ref);
    },
    id: (ref) => ids.get(ref),
    ref: (id) => refs.get(id),
  };
}

async function recordAll(ledger, refs, decisions) {
  for (let from = 0; from < decisions.length; from += AT_ONCE) {
    const part = decisions.slice(from, from + AT_ONCE);
    await Promise.all(
      part.map(async ({ ref, ...decision }) => {
        const { decision_id } = await ledger.recordNow(bodyOf(decision));
        refs.add(ref, decision_id);
      }),
    );
  }
}

/** What a request may contain of a record of a world. */
function bodyOf({ ref, recorded, external_id, timestamp, ...body }) {
  return {
    ...body,
    ...(external_id != null && { external_id }),
    timestamp: new Date(timestamp).toISOString(),
  };
}

async function outcomeOf(ledger, refs, event, id) {
  const review = await waitForReview(ledger, id);
  const links = await ledger.links.list({ financial_event_id: id }).toArray();
  const suggested = links
    .filter(({ status }) => status === 'ML_SUGGESTED')
    .sort((a, b) => b.correlation_strength - a.correlation_strength)
    .map((link) => ({
      ref: refs.ref(link.decision_id),
      share: link.correlation_strength,
      label: link.label,
    }));
  const ranked =
    review.kind === 'audit'
      ? suggested
      : review.candidates.map(({ decision_id, share }) => ({ ref: refs.ref(decision_id), share }));
  return { event, ranked, suggested, none: review.none_share ?? 1 - sumOf(suggested) };
}

const sumOf = (suggested) => suggested.reduce((total, { share }) => total + share, 0);

/** The review of an event appears when the event is scored. */
async function waitForReview(ledger, id) {
  const end = Date.now() + PATIENCE;
  while (Date.now() < end) {
    for await (const review of ledger.reviews.list({ limit: MOST })) {
      if (review.financial_event.id === id) return review;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
  throw new Error(`the service did not score ${id} within ${PATIENCE / 1000} s`);
}

/** Answers the audits and the first of the queue in turn, spread evenly over the reviewable events. */
function createReviewer(ledger, refs, { reviews, reviewable, review }) {
  const events = new Map();
  let asked = 0;
  return {
    async ask(event, count) {
      events.set(event.ref, event);
      if (count > reviewable) return;
      const due = Math.min(reviews, Math.ceil((reviews * count) / (reviewable * 0.95)));
      while (asked < due) {
        const next = await nextReview(ledger, asked % 2 === 0 ? 'audit' : 'queue');
        if (next === undefined) return;
        const seen = events.get(refs.ref(next.financial_event.id));
        const answer = review(seen);
        if (answer === undefined) return;
        asked += 1;
        await ledger.reviews.answer(next.financial_event.id, answerOf(refs, answer));
      }
    },
  };
}

async function nextReview(ledger, kind) {
  const [wanted] = await ledger.reviews.list({ kind, limit: 1 }).toArray(1);
  return wanted ?? (await ledger.reviews.list({ limit: 1 }).toArray(1))[0];
}

function answerOf(refs, answer) {
  return answer === null ? { none: true } : { decision_id: refs.id(answer) };
}
