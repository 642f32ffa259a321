// The product's method: the rules of the service, with candidates selected as in the service.

import { windowMs } from '@decision-ledger/attribution/candidate-search';
import { compareEvent } from '@decision-ledger/attribution/comparison';
import { learnSnapshot } from '@decision-ledger/attribution/learning';
import { scoreEvent } from '@decision-ledger/attribution/score';
import { DEFAULT_ATTRIBUTION } from '@decision-ledger/contract/attribution';
import { createIndex } from './decision-index.js';
import { inOrder } from './method.js';
import { rateOn } from './worlds/money.js';

const DAY = 24 * 3_600_000;
const LEDGER = 'evaluation';
/** A model is learned again when identified events grew by a fifth and by this many, as in the service. */
const GROWTH = 1.2;
const LEAST_GROWTH = 10;
/** And when so many reviews arrived. */
const LEARN_EVERY_REVIEWS = 10;
const MAX_OBSERVATIONS = 2000;
/** A reviewer sees so many candidates. */
const SHOWN = 10;
/** Of so many recent events, the most uncertain one is asked for. */
const QUEUE = 20;

/** @type {import('./method.js').Method} */
export const product = {
  name: 'product',
  learns: true,
  run(world, options) {
    const index = createIndex(LEDGER);
    const learning = createLearning();
    const outcomes = [];
    const reviewer = createQueue(options, learning);
    for (const { decision, event } of inOrder(world)) {
      if (event === undefined) index.add(decision);
      else {
        const compared = prepare(world, event);
        const snapshot = learning.snapshot(event);
        const { found, frequencies } = index.find(
          compared,
          windowMs(DEFAULT_ATTRIBUTION, snapshot),
        );
        const scored = scoreEvent(compared, found, frequencies, snapshot, 1);
        learning.observe(scored.observation);
        outcomes.push(toOutcome(event, scored));
        reviewer.consider({ event, scored }, outcomes.length);
      }
    }
    return outcomes;
  },
};

function prepare({ settings }, event) {
  const own = rateOn(settings, event.currency, event.timestamp);
  const currencies = settings.rates;
  const rates = [settings.base_currency, ...Object.keys(currencies)].map((currency) => [
    currency,
    rateOn(settings, currency, event.timestamp) / own,
  ]);
  return compareEvent({
    ledgerId: LEDGER,
    eventType: event.event_type,
    amount: event.amount,
    currency: event.currency,
    externalId: event.external_id,
    metadata: event.metadata,
    timestamp: event.timestamp,
    rates: new Map(rates),
  });
}

/** Snapshots, learned from what was scored and reviewed until then. */
function createLearning() {
  const [observations, choices] = [[], []];
  let [snapshot, identified, learned, reviewed] = [null, 0, 0, 0];
  return {
    observe: (observation) => {
      observations.push(observation);
      if (observations.length > MAX_OBSERVATIONS) observations.shift();
      identified += observation.identified === null && observation.clock === undefined ? 0 : 1;
    },
    review: (choice) => choices.push(choice),
    snapshot({ recorded }) {
      const isDue =
        identified >= Math.max(GROWTH * learned, learned + LEAST_GROWTH) ||
        choices.length >= reviewed + LEARN_EVERY_REVIEWS;
      if (snapshot === null || isDue) {
        const today = Math.floor(recorded / DAY);
        const settings = DEFAULT_ATTRIBUTION;
        snapshot = learnSnapshot({ settings, choices, observations, today });
        [learned, reviewed] = [identified, choices.length];
      }
      return snapshot;
    },
  };
}

/**
 * Half of the reviews are a random sample, spread evenly over the events that may be reviewed; the other
 * half are of the most uncertain of the last events.
 */
function createQueue({ reviews, reviewable, review }, learning) {
  let waiting = [];
  let asked = 0;
  const ask = (kind, item) => {
    waiting = waiting.filter((one) => one !== item);
    const answer = review(item.event);
    asked += 1;
    if (answer !== undefined) teach(learning, kind, item, answer);
  };
  return {
    consider(item, count) {
      if (count > reviewable) return;
      waiting = [...waiting, item].slice(-QUEUE);
      const due = Math.min(reviews, Math.ceil((reviews * count) / (reviewable * 0.95)));
      while (asked < due && waiting.length > 0) {
        if (asked % 2 === 0) ask('audit', waiting.at(-1));
        else
          ask(
            'review',
            waiting.reduce((a, b) => (uncertainty(b) >= uncertainty(a) ? b : a)),
          );
      }
    },
  };
}

const uncertainty = ({ scored: { candidates, none } }) =>
  1 - Math.max(none, candidates[0]?.share ?? 0);

function teach(learning, kind, { event, scored }, answer) {
  const shown = scored.candidates.filter(
    ({ decisionId }, at) => at < SHOWN || decisionId === answer,
  );
  if (answer !== null && !shown.some(({ decisionId }) => decisionId === answer)) return;
  learning.review({
    kind,
    event_type: event.event_type,
    kinds: scored.observation.kinds,
    day: Math.floor(event.recorded / DAY),
    weight: 1,
    candidates: shown.map(({ features, agentId, actionType, hours, decisionId }) => ({
      features,
      agent_id: agentId,
      action_type: actionType,
      hours,
      verdict: decisionId === answer ? 'cause' : 'not_cause',
    })),
    none: answer === null ? 'cause' : 'not_cause',
  });
}

function toOutcome(event, { candidates, none }) {
  return {
    event,
    ranked: candidates.map(({ decisionId, share }) => ({ ref: decisionId, share })),
    suggested: candidates
      .filter(({ isSuggested }) => isSuggested)
      .map(({ decisionId, share, label }) => ({ ref: decisionId, share, label })),
    none,
  };
}
