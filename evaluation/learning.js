// What the model learns from reviews, and from reviews alone.
import {
  fitCalibration,
  UNCALIBRATED,
} from '@decision-ledger/server/domains/attribution/rules/calibrate';
import { learnedHalfLife } from '@decision-ledger/server/domains/attribution/rules/half-life';
import {
  plausibility,
  usualAmounts,
} from '@decision-ledger/server/domains/attribution/rules/plausibility';
import { patternMean } from '@decision-ledger/server/domains/attribution/rules/priors';

const DAY = 24 * 3_600_000;
const REFIT_EVERY = 20;

/** @param {number} halfLifeHours the set one */
export function createLearning(halfLifeHours) {
  const counts = new Map();
  const lags = new Map();
  const amounts = new Map();
  const judged = [];
  let calibration = UNCALIBRATED;
  const memory = new Map();
  const remember = (key, compute) => {
    if (!memory.has(key)) memory.set(key, compute());
    return memory.get(key);
  };
  return {
    calibration: () => calibration,
    reviews: () => judged.length,
    review({ event, candidate, rawLogit, isConfirmed }) {
      memory.clear();
      judged.push({ logit: rawLogit, isConfirmed });
      for (const key of patternKeys(event, candidate.decision)) {
        count(counts, key, Math.floor(event.timestamp / DAY), isConfirmed);
      }
      if (isConfirmed) {
        const { action_type } = candidate.decision;
        append(lags, action_type, Math.max(0, candidate.hours));
        append(amounts, `${action_type} ${event.currency}`, magnitude(event.amount));
      }
      if (judged.length % REFIT_EVERY === 0) calibration = fitCalibration(judged);
    },
    /** The candidate as the model takes it. */
    complete({ event, candidate: { decision, overlap, hours, failed } }) {
      const today = Math.floor(event.timestamp / DAY);
      const [all, action, agent] = patternKeys(event, decision);
      const { action_type } = decision;
      const usual = remember(`a ${action_type} ${event.currency}`, () =>
        usualAmounts(amounts.get(`${action_type} ${event.currency}`) ?? []),
      );
      return {
        overlap,
        hours,
        halfLifeHours: remember(`h ${action_type}`, () =>
          learnedHalfLife(halfLifeHours, lags.get(action_type) ?? []),
        ),
        agentPattern:
          judged.length === 0
            ? null
            : remember(`p ${agent} ${today}`, () =>
                patternMean(
                  {
                    all: counts.get(all) ?? [],
                    action: counts.get(action) ?? [],
                    agent: counts.get(agent) ?? [],
                  },
                  today,
                ),
              ),
        amountPlausibility: usual === null ? null : plausibility(magnitude(event.amount), usual),
        saysItFailed: failed,
      };
    },
  };
}

const patternKeys = (event, { agent_id, action_type }) => [
  'all',
  `${action_type} ${event.event_type}`,
  `${agent_id} ${action_type} ${event.event_type}`,
];

function count(counts, key, day, isConfirmed) {
  const days = counts.get(key) ?? [];
  const last = days.at(-1);
  const today = last?.day === day ? days.pop() : { day, confirmed: 0, rejected: 0 };
  const { confirmed, rejected } = today;
  days.push({
    day,
    confirmed: confirmed + (isConfirmed ? 1 : 0),
    rejected: rejected + (isConfirmed ? 0 : 1),
  });
  counts.set(key, days);
}

function append(lists, key, value) {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

/** For logarithms only. */
const magnitude = (amount) => Math.abs(Number(amount));
