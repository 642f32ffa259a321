import type { Knowledge } from './knowledge.js';
import { timeEvidence } from './lag.js';
import type { Observation } from './observation.js';
import type { Weights } from './weights.js';

/** How far the level of a type may differ from the usual one, in log-odds, and how likely that is. */
const SHIFTS = Array.from({ length: 25 }, (_, at) => (at - 16) / 2);
const SHIFT_SD = 1.5;
/** One event type in five comes without recorded causes, whatever its customers have to do with agents. */
const CAUSELESS_TYPE = 0.2;
/** Shares of the causes that state money, but not the money of the event. */
const OTHERS = [0.01, 0.03, 0.1, 0.2, 0.3, 0.45, 0.6, 0.75, 0.9, 0.99];
/** A beta prior: of causes that state money, two in three state that of the event; a type mostly agrees. */
const STATED = { equal: 2 / 3, other: 1 / 3 };

/** What the ledger says of an event type without any review. */
export interface TypeLevel {
  /** What its share of events with a recorded cause adds to the log-odds. */
  readonly logOdds: number;
  /** The share of the causes that state another amount, of those that state any. */
  readonly other: number;
}

interface EventEvidence {
  /** How much likelier its delays are with a recorded cause than without, by the amounts that they state. */
  readonly sums: { readonly equal: number; readonly other: number; readonly none: number };
  /** The log-odds of a cause before that. */
  readonly level: number;
}

/**
 * How common recorded causes are among the events of each type, and how often they state the amount:
 * events that decisions cause follow them sooner than chance, and state their amounts. A mixture of events
 * with and without a recorded cause is fitted to all events of the type, whose share is unknown.
 */
export function levelsOf(
  observations: readonly Observation[],
  knowledge: Knowledge,
  weights: Weights,
): Map<string, TypeLevel> {
  const types = new Map<string, EventEvidence[]>();
  for (const observation of observations) {
    const { event_type, options, level } = observation;
    if (options === undefined || level === undefined) continue;
    const events = types.get(event_type) ?? [];
    events.push({ level, sums: sumsOf(observation, knowledge, weights) });
    types.set(event_type, events);
  }
  return new Map([...types].map(([name, events]) => [name, fitLevel(events, weights.base)]));
}

function sumsOf(
  { event_type, options = [] }: Observation,
  knowledge: Knowledge,
  weights: Weights,
): EventEvidence['sums'] {
  const sums = { equal: 0, other: 0, none: 0 };
  for (const [actionType, logHours, evidence, amount] of options) {
    const lags = knowledge.lags(actionType, event_type);
    const time = timeEvidence(Math.exp(logHours), knowledge.halfLife(actionType), lags);
    const compatibility = knowledge.compatibility(actionType, event_type);
    const learned = weights.time * time + weights.compatibility * compatibility;
    sums[amount] += Math.exp(evidence + learned);
  }
  return sums;
}

/**
 * Without causes, the ratios of the events of a type average one. Where they average less, the type has
 * other delays than the model knows, which says nothing of causes.
 */
function scaleOf(events: readonly EventEvidence[]): number {
  const total = events.reduce((sum, { sums }) => sum + sums.equal + sums.other + sums.none, 0);
  return Math.min(MAX_SCALE, Math.max(1, events.length / total));
}

const MAX_SCALE = 1e3;

function fitLevel(events: readonly EventEvidence[], base: number): TypeLevel {
  const level = events.reduce((sum, event) => sum + event.level, 0) / events.length;
  const now = posterior(events, level, level - base);
  return { logOdds: logit(now.share) - level, other: now.other };
}

/**
 * The means over all shifts of the level and all shares of other amounts.
 * @param usual level of an event
 * @param sharing the part of it that follows from what events share with decisions
 */
function posterior(events: readonly EventEvidence[], usual: number, sharing: number) {
  // That events of a causeless type name recorded transactions is as unlikely as the level says, once.
  const causeless = CAUSELESS_TYPE / (CAUSELESS_TYPE + (1 - CAUSELESS_TYPE) * Math.exp(sharing));
  // Before the first event, the share is the usual one.
  const centre = logit(Math.min(MOST, toShare(usual) / (1 - causeless))) - usual;
  const cells = likelihoods(events, centre).map((cell) => ({
    ...cell,
    log: cell.log + Math.log(1 - causeless),
  }));
  const none = Math.log(causeless);
  const most = cells.reduce((max, { log }) => Math.max(max, log), none);
  let [total, share, caused, others] = [Math.exp(none - most), 0, 0, 0];
  for (const { shift, other, log } of cells) {
    const weight = Math.exp(log - most);
    total += weight;
    caused += weight;
    share += weight * toShare(usual + shift);
    others += weight * other;
  }
  return { share: Math.max(LEAST, share / total), other: others / caused };
}

/** The log of prior and likelihood for each shift of the level and each share of other amounts. */
function likelihoods(events: readonly EventEvidence[], centre: number) {
  const scale = scaleOf(events);
  const ratios = events.map(({ sums: { equal, other, none } }) =>
    OTHERS.map((share) => scale * (equal * (1 - share) + other * share + none)),
  );
  return SHIFTS.flatMap((own, place) => {
    const shift = centre + own;
    const shares = events.map(({ level }) => toShare(level + shift));
    return OTHERS.map((other, at) => {
      const log = ratios.reduce((sum, ratio, event) => {
        const share = shares[event] ?? 0;
        return sum + Math.log(1 - share + share * (ratio[at] ?? 0));
      }, 0);
      const prior = Math.log(PRIOR_SHIFT[place] ?? 0) + Math.log(PRIOR_OTHER[at] ?? 0);
      return { shift, other, log: prior + log };
    });
  });
}

/** No type is surely without recorded causes. */
const LEAST = 0.01;
const MOST = 0.999;
const PRIOR_SHIFT = scaled(SHIFTS.map((shift) => Math.exp(-((shift / SHIFT_SD) ** 2) / 2)));
const PRIOR_OTHER = scaled(
  OTHERS.map(
    (other, at) =>
      (1 - other) ** (STATED.equal - 1) *
      other ** (STATED.other - 1) *
      ((OTHERS[at + 1] ?? 1) - (OTHERS[at - 1] ?? 0)),
  ),
);

function scaled(values: readonly number[]): number[] {
  const total = values.reduce((sum, value) => sum + value, 0);
  return values.map((value) => value / total);
}

/** Below 1, so that the log of the rest is finite. */
const toShare = (logOdds: number): number => 1 / (1 + Math.exp(-Math.min(MAX_LOG_ODDS, logOdds)));
const MAX_LOG_ODDS = 30;
const logit = (share: number): number => Math.log(share / (1 - share));
