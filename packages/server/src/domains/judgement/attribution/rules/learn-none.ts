import type { Knowledge } from './knowledge.js';
import { timeEvidence } from './lag.js';
import type { Observation } from './observation.js';
import type { Weights } from './weights.js';

/** How far the level of a type may differ from the usual one, in log-odds, and how likely that is. */
const SHIFTS = Array.from({ length: 25 }, (_, at) => (at - 16) / 2);
const SHIFT_SD = 1.5;
/** One event type in five comes without recorded causes, whatever its customers have to do with agents. */
const CAUSELESS_TYPE = 0.2;
/** Of types with causes, three in ten move amounts that no decision states: taxes, fees, usage. */
const UNSTATED_TYPE = 0.3;
/** Events about the same thing depend on each other. */
const INDEPENDENT = 0.5;
/** Counts before the first event: most causes that state money state that of the event. */
const STATED = { equal: 2, other: 1 };
/** So few amounts are equal by chance. */
const CHANCE_EQUAL = 0.1;
const MAX_OTHERS = 100;

interface Evidence {
  equal: number;
  other: number;
  readonly events: EventEvidence[];
}

interface EventEvidence {
  /** How much likelier its delays and amounts are with a recorded cause than without. */
  readonly ratio: number;
  /** The log-odds of a cause before that. */
  readonly level: number;
}

/**
 * How common recorded causes are among the events of each type, without any review: events that decisions
 * cause follow them sooner than chance, and state their amounts. A mixture of events with a recorded cause
 * and without, whose share is unknown, is fitted to all events of the type.
 * @returns by event type, the log-odds that the share adds
 */
export function recordedShares(
  observations: readonly Observation[],
  knowledge: Knowledge,
  weights: Weights,
): Map<string, number> {
  const types = new Map<string, Evidence>();
  for (const observation of observations) {
    const { event_type, amount } = observation;
    const evidence = types.get(event_type) ?? { equal: 0, other: 0, events: [] };
    if (amount !== undefined) evidence[amount] += 1;
    if (observation.options !== undefined && observation.level !== undefined) {
      const ratio = ratioOf(observation, knowledge, weights);
      evidence.events.push({ ratio, level: observation.level });
    }
    types.set(event_type, evidence);
  }
  return new Map(
    [...types].map(([name, evidence]) => {
      const { events } = evidence;
      const level = events.reduce((sum, event) => sum + event.level, 0) / Math.max(1, events.length);
      const now = expectedShare(causelessType(evidence), events, level);
      const before = expectedShare(CAUSELESS_TYPE, [], level);
      return [name, logit(now) - logit(before)];
    }),
  );
}

function ratioOf(
  { event_type, options = [] }: Observation,
  knowledge: Knowledge,
  weights: Weights,
): number {
  return options.reduce((sum, [actionType, logHours, evidence]) => {
    const lags = knowledge.lags(actionType, event_type);
    const time = timeEvidence(Math.exp(logHours), knowledge.halfLife(actionType), lags);
    const compatibility = knowledge.compatibility(actionType, event_type);
    const learned = weights.time * time + weights.compatibility * compatibility;
    return sum + Math.exp(evidence + learned);
  }, 0);
}

/** The share of an event of the usual level, by summing over all shifts of the type. */
function expectedShare(
  causeless: number,
  events: readonly EventEvidence[],
  usual: number,
): number {
  const logs = SHIFTS.map((shift) =>
    events.reduce((sum, { ratio, level }) => {
      const share = toShare(level + shift);
      return sum + INDEPENDENT * Math.log(1 - share + share * ratio);
    }, 0),
  );
  const most = Math.max(0, ...logs);
  const priors = SHIFTS.map((shift) => Math.exp(-((shift / SHIFT_SD) ** 2) / 2));
  const scale = (1 - causeless) / priors.reduce((sum, prior) => sum + prior, 0);
  const weights = logs.map((log, at) => scale * (priors[at] ?? 0) * Math.exp(log - most));
  const total = weights.reduce((sum, weight) => sum + weight, causeless * Math.exp(-most));
  return SHIFTS.reduce(
    (sum, shift, at) => sum + (toShare(usual + shift) * (weights[at] ?? 0)) / total,
    0,
  );
}

const toShare = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds));

/**
 * The probability that a type has no recorded causes, after decisions about the same things stated other
 * amounts: types with causes state equal ones, and their share has a beta prior.
 */
function causelessType({ equal, other }: Evidence): number {
  if (equal > CHANCE_EQUAL * other) return CAUSELESS_TYPE;
  let unequal = 1;
  for (let count = 0; count < Math.min(MAX_OTHERS, INDEPENDENT * other); count++) {
    unequal *= (STATED.other + count) / (STATED.equal + STATED.other + count);
  }
  const caused = (1 - CAUSELESS_TYPE) * (UNSTATED_TYPE + (1 - UNSTATED_TYPE) * unequal);
  return CAUSELESS_TYPE / (CAUSELESS_TYPE + caused);
}

const logit = (share: number): number => Math.log(share / (1 - share));
