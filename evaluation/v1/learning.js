// What the model learns from reviews alone.
import { UNCALIBRATED } from '#server/domains/judgement/attribution/rules/v1/calibrate';
import { learn } from '#server/domains/judgement/attribution/rules/v1/knowledge';
import { plausibility } from '#server/domains/judgement/attribution/rules/v1/plausibility';

const DAY = 24 * 3_600_000;
const REFIT_EVERY = 20;

/** @param {import('#server/domains/judgement/attribution/rules/v1/parameters').Parameters} parameters */
export function createLearning(parameters) {
  const reviews = [];
  const patterns = [];
  let calibration = UNCALIBRATED;
  let known = null;
  /** The knowledge of a day, cached until the next review. */
  const knowledgeOf = (day) => {
    if (known?.day !== day) known = { day, ...learn(parameters, reviews, patterns, day) };
    return known;
  };
  return {
    calibration: () => calibration,
    reviews: () => reviews.length,
    review({ event, candidate: { decision, hours }, rawLogit, isConfirmed }) {
      known = null;
      const day = dayOf(event);
      reviews.push({
        verdict: isConfirmed ? 'confirmed' : 'rejected',
        action_type: decision.action_type,
        currency: event.currency,
        magnitude: event.amount.replace('-', ''),
        lag_hours: hours,
        raw_logit: rawLogit,
      });
      const counts = { day, confirmed: Number(isConfirmed), rejected: Number(!isConfirmed) };
      patterns.push({ ...patternOf(event, decision), ...counts });
      if (reviews.length % REFIT_EVERY === 0) calibration = knowledgeOf(day).model.calibration;
    },
    /** The candidate in the form that the model expects. */
    complete({ event, candidate: { decision, overlap, hours, failed } }) {
      const knowledge = knowledgeOf(dayOf(event));
      const usual = knowledge.usualAmounts(decision.action_type, event.currency);
      return {
        overlap,
        hours,
        halfLifeHours: knowledge.halfLifeHours(decision.action_type),
        agentPattern: knowledge.agentPattern(patternOf(event, decision)),
        amountPlausibility:
          usual === null ? null : plausibility(Math.abs(Number(event.amount)), usual),
        saysItFailed: failed,
      };
    },
  };
}

const dayOf = ({ timestamp }) => Math.floor(timestamp / DAY);

const patternOf = ({ event_type }, { agent_id, action_type }) => ({
  event_type,
  action_type,
  agent_id,
});
