import { causelessOf } from './causeless.js';
import type { Knowledge } from './knowledge.js';
import { fitMixture, toShare } from './mixture.js';
import type { Observation } from './observation.js';
import { type EventEvidence, evidenceByType } from './type-evidence.js';
import type { Weights } from './weights.js';

/** What the ledger says of an event type without any review. */
export interface TypeLevel {
  /** What its share of events with a recorded cause adds to the log-odds, if any has one. */
  readonly logOdds: number;
  /** Probability that none of its events has a recorded cause. */
  readonly causeless: number;
  /** The share of the causes that state another amount, of those that state any. */
  readonly other: number;
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
  const types = evidenceByType(observations, knowledge, weights);
  return new Map([...types].map(([name, events]) => [name, levelOf(events)]));
}

/** No type is surely without recorded causes. */
const LEAST = 0.01;
/** The delays of one event say at most this much: causeless events come in clusters as well. */
const MAX_DELAYS = 20;

/**
 * Without causes, the ratios of the events of a type average one. Where they average less, the type has
 * other delays than the model knows, which says nothing of causes.
 */
function scaleOf(events: readonly EventEvidence[]): number {
  const total = events.reduce((sum, { sums }) => sum + sums.equal + sums.other + sums.none, 0);
  return Math.min(MAX_SCALE, Math.max(1, events.length / total));
}

const MAX_SCALE = 1e3;

function levelOf(events: readonly EventEvidence[]): TypeLevel {
  const level = events.reduce((sum, event) => sum + event.level, 0) / events.length;
  const scale = scaleOf(events);
  const bounded = events.map(({ level: own, sums, delays }) => ({
    level: own,
    sums,
    scale: delays > MAX_DELAYS ? MAX_DELAYS / delays : scale,
  }));
  const { cells, evidence } = fitMixture(bounded);
  const mean = (of: (cell: (typeof cells)[number]) => number) =>
    cells.reduce((sum, cell) => sum + Math.exp(cell.log - evidence) * of(cell), 0);
  const share = Math.max(
    LEAST,
    mean(({ shift }) => toShare(level + shift)),
  );
  return {
    logOdds: Math.log(share / (1 - share)) - level,
    causeless: causelessOf(events),
    other: mean(({ other }) => other),
  };
}
