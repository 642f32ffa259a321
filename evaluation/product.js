// The product's method: the rules of the service, with candidates selected as in the service.
import { DEFAULT_ATTRIBUTION } from '@decision-ledger/contract/attribution';
import { isSuggested, scoreCandidates } from '#server/domains/judgement/attribution/rules/v1/score';
import { withCandidates } from './v1/candidates.js';
import { createLearning } from './v1/learning.js';

/** Rarer than one decision in 64. */
const RARE_BITS = 6;
const prepared = new WeakMap();

/** @type {import('./method.js').Method} */
export const product = {
  name: 'product',
  learns: true,
  run(world, options) {
    const items = prepare(world);
    const learning = createLearning(DEFAULT_ATTRIBUTION);
    const outcomes = [];
    let [asked, isOpen] = [0, options.reviews > 0];
    items.forEach((item, index) => {
      const scored = score(item, learning);
      outcomes.push(toOutcome(item.event, scored));
      // Reviews are spread evenly over the events that may be reviewed.
      const due = Math.ceil((options.reviews * (index + 1)) / (options.reviewable * 0.9));
      if (!isOpen || asked >= due || !scored.some(({ suggested }) => suggested)) return;
      const answer = options.review(item.event);
      if (answer === undefined) isOpen = false;
      else {
        asked += 1;
        teach(learning, item, scored, answer);
      }
    });
    return outcomes;
  },
};

/** The candidates do not depend on reviews. */
function prepare(world) {
  const known = prepared.get(world);
  if (known !== undefined) return known;
  const items = withCandidates(world, DEFAULT_ATTRIBUTION.half_life_hours);
  prepared.set(world, items);
  return items;
}

function score({ event, candidates }, learning) {
  const model = { parameters: DEFAULT_ATTRIBUTION, calibration: learning.calibration() };
  const complete = candidates.map((candidate) => learning.complete({ event, candidate }));
  return scoreCandidates(complete, 1, model).map((one, at) => ({
    candidate: candidates[at],
    share: one.share,
    rawLogit: one.rawLogit,
    suggested: isSuggested(one, DEFAULT_ATTRIBUTION),
  }));
}

function teach(learning, { event }, scored, answer) {
  for (const { candidate, rawLogit, suggested } of scored) {
    const isConfirmed = candidate.decision.ref === answer;
    if (suggested || isConfirmed) learning.review({ event, candidate, rawLogit, isConfirmed });
  }
}

function toOutcome(event, scored) {
  const sorted = [...scored].sort((a, b) => b.share - a.share);
  const suggested = sorted.filter((one) => one.suggested);
  return {
    event,
    ranked: sorted.map(({ candidate, share }) => ({ ref: candidate.decision.ref, share })),
    suggested: suggested.map(({ candidate, share }) => ({
      ref: candidate.decision.ref,
      share,
      label: share >= 0.5 && candidate.overlap.idBits >= RARE_BITS ? 'matched' : 'guessed',
    })),
    none: Math.max(0, 1 - sorted.reduce((sum, { share }) => sum + share, 0)),
  };
}
