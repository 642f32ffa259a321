// The model and the baselines. Each assigns a probability to every candidate of an event.
import { DEFAULT_ATTRIBUTION } from '@decision-ledger/contract/attribution';
import { partsOf } from '#server/domains/judgement/attribution/rules/v1/evidence';
import { isSuggested, scoreCandidates } from '#server/domains/judgement/attribution/rules/v1/score';
import { createLearning } from './learning.js';

/** The defaults of the settings. */
export const PARAMETERS = DEFAULT_ATTRIBUTION;

/** Rarer than one decision in 64, and therefore informative. */
const INFORMATIVE_BITS = 6;

/**
 * @typedef {{ share: number, suggested: boolean, isTrue: boolean }} Pair
 * @typedef {{ event: object, pairs: Pair[] }} Scored
 */

/**
 * Runs the model over the earlier events, with `budget` of its suggestions reviewed (by the truth, in time
 * order), and then scores the later ones.
 * @returns {Scored[]} of the later events
 */
export function runModel(earlier, later, budget) {
  const learning = createLearning(PARAMETERS);
  const score = ({ event, candidates }) => {
    const model = { parameters: PARAMETERS, calibration: learning.calibration() };
    const complete = candidates.map((candidate) => learning.complete({ event, candidate }));
    return scoreCandidates(complete, 1, model);
  };
  earlier.forEach((item, index) => {
    // Reviews are spread evenly over the earlier events.
    const due = Math.min(budget, Math.ceil((budget * (index + 1)) / (earlier.length * 0.9)));
    if (learning.reviews() >= due) return;
    const { event, candidates } = item;
    score(item).forEach((one, at) => {
      if (learning.reviews() >= budget || !isSuggested(one, PARAMETERS)) return;
      const candidate = candidates[at];
      const isConfirmed = candidate.decision.ref === event.cause;
      learning.review({ event, candidate, rawLogit: one.rawLogit, isConfirmed });
    });
  });
  const scored = later.map((item) =>
    judge(
      item,
      score(item).map((one) => ({ share: one.share, suggested: isSuggested(one, PARAMETERS) })),
    ),
  );
  return { scored, reviews: learning.reviews(), calibration: learning.calibration() };
}

/** Assumes that the latest decision before the event is the cause. */
export const lastTouch = (later) =>
  later.map((item) => judge(item, only(item, latest(item.candidates))));

/** Assumes that the latest decision that shares an identifier is the cause. */
export const exactId = (later) =>
  later.map((item) => {
    const sharing = item.candidates.filter(({ overlap }) => overlap.idBits >= INFORMATIVE_BITS);
    return judge(item, only(item, latest(sharing)));
  });

/** The weighted mean of the known components, independently for each candidate. */
export const weightedSum = (later) =>
  later.map((item) =>
    judge(
      item,
      item.candidates.map(({ overlap, hours }) => {
        const parts = partsOf({
          overlap,
          hours,
          halfLifeHours: PARAMETERS.half_life_hours,
          agentPattern: null,
          amountPlausibility: null,
          saysItFailed: false,
        });
        const known = Object.entries(parts).filter(([, part]) => part !== null);
        const total = known.reduce((sum, [name]) => sum + PARAMETERS.weights[name], 0);
        const share =
          known.reduce((sum, [name, part]) => sum + PARAMETERS.weights[name] * part, 0) / total;
        return { share, suggested: share >= 0.5 };
      }),
    ),
  );

function latest(candidates) {
  return candidates.reduce(
    (best, one) => (one.hours >= 0 && (best === undefined || one.hours < best.hours) ? one : best),
    undefined,
  );
}

const only = ({ candidates }, chosen) =>
  candidates.map((one) => ({ share: one === chosen ? 1 : 0, suggested: one === chosen }));

function judge({ event, candidates }, scores) {
  return {
    event,
    pairs: scores.map((score, at) => ({
      ...score,
      isTrue: candidates[at].decision.ref === event.cause,
    })),
  };
}
