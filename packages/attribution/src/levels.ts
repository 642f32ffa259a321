import type { Steps } from '@decision-ledger/contract/steps';
import {
  type KindEvent,
  type KindValue,
  kindKeyOf,
  MIN_EVENTS,
  valueUnder,
} from './event-kinds.js';
import type { Knowledge } from './knowledge.js';
import { type BySharing, fitMixture, NO_SHIFT, ofSharing, toShare } from './mixture.js';
import type { EventObservation } from './snapshot.js';
import {
  CAUSELESS_TYPE,
  causelessOf,
  type EventEvidence,
  evidenceByType,
} from './type-evidence.js';
import type { Weights } from './weights.js';

/** What the ledger says of an event type without any review. */
export interface TypeLevel extends Level {
  /** The share of the causes that state another amount, of those that state any. */
  readonly other: number;
  /** Kinds of events under one type, by their value under a key; null for a type of one kind. */
  readonly kind: { readonly key: number; readonly values: ReadonlyMap<number, Level> } | null;
}

/**
 * How common recorded causes are among the events of each type, and how often they state the amount:
 * events that decisions cause follow them sooner than chance, and state their amounts. A mixture of events
 * with and without a recorded cause is fitted to all events of the type, whose share is unknown.
 */
export function* levelsOf(
  observations: readonly EventObservation[],
  knowledge: Knowledge,
  weights: Weights,
  reviewed: TypeTable = new Map(),
): Steps<Map<string, TypeLevel>> {
  const types = evidenceByType(observations, knowledge, weights);
  const levels = new Map<string, TypeLevel>();
  for (const [name, events] of types) {
    const level = levelOf(events);
    yield;
    const kind = yield* kindOf(events, reviewed.get(name) ?? [], level.logOdds);
    levels.set(name, { ...level, kind });
  }
  return levels;
}

/** So many events of a type, the latest, say of which kinds it is. */
const MAX_OF_KIND = 400;

/** @param start of the type, from which its kinds differ */
function* kindOf(
  events: readonly EventEvidence[],
  reviewed: readonly ReviewedOfType[],
  start: BySharing,
): Steps<TypeLevel['kind']> {
  const shown = mixedOf(events.slice(-MAX_OF_KIND), start).map(
    ({ kinds, ...evidence }): KindEvent => ({ kinds, evidence, isCaused: null }),
  );
  const said = reviewed.map(
    ({ kinds, isCaused }): KindEvent => ({ kinds, evidence: null, isCaused }),
  );
  const key = yield* kindKeyOf([...shown, ...said], CAUSELESS_TYPE);
  if (key === null) return null;
  const byValue = new Map<number, EventEvidence[]>();
  for (const event of events) {
    const value = valueUnder(event.kinds, key);
    const group = byValue.get(value);
    if (group === undefined) byValue.set(value, [event]);
    else group.push(event);
  }
  const values = new Map<number, Level>();
  for (const [value, group] of byValue) {
    if (group.length < MIN_EVENTS) continue;
    values.set(value, levelOf(group, start));
    yield;
  }
  return { key, values };
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

function mixedOf(events: readonly EventEvidence[], start: BySharing) {
  const scale = scaleOf(events);
  return events.map(({ level, isShared, sums, delays, kinds }) => ({
    level: level + ofSharing(start, isShared),
    isShared,
    sums,
    kinds,
    scale: delays > MAX_DELAYS ? MAX_DELAYS / delays : scale,
  }));
}

/** @param start the shifts from which those of the events differ */
function levelOf(events: readonly EventEvidence[], start = NO_SHIFT): Omit<TypeLevel, 'kind'> {
  const { shifts, other } = fitMixture(mixedOf(events, start));
  const shiftOf = (isShared: boolean) => {
    const own = events.filter((event) => event.isShared === isShared);
    if (own.length === 0) return ofSharing(start, isShared);
    const level = own.reduce((sum, event) => sum + event.level, 0) / own.length;
    const usual = level + ofSharing(start, isShared);
    const mean = ofSharing(shifts, isShared).reduce(
      (sum, { shift, probability }) => sum + probability * toShare(usual + shift),
      0,
    );
    const share = Math.max(LEAST, mean);
    return Math.log(share / (1 - share)) - level;
  };
  return {
    logOdds: { shared: shiftOf(true), apart: shiftOf(false) },
    causeless: causelessOf(events),
    other,
  };
}

/** One reviewed event: the log-odds of a recorded cause without what is known of its type. */
export interface ReviewedEvent {
  readonly logOdds: number;
  readonly isShared: boolean;
  readonly isCaused: boolean;
  /** How much it counts. */
  readonly weight: number;
}

export interface ReviewedOfType extends ReviewedEvent {
  readonly kinds: readonly KindValue[];
}

/** What people said of the events of each type. */
export type TypeTable = Map<string, ReviewedOfType[]>;

/** What is known of the causes of a type of events. */
export interface Level {
  /** What it adds to the log-odds of a recorded cause, if any of its events has one. */
  readonly logOdds: BySharing;
  /** Probability that none of its events has a recorded cause. */
  readonly causeless: number;
}

/** Part of the reviews that is expected to be wrong. */
const WRONG = 0.05;
/** How far the level of a type may differ from what is known without reviews. */
const SHIFTS = Array.from({ length: 33 }, (_, at) => (at - 16) / 4);
const SHIFT_SD = 1.5;
const MAX_CAUSELESS = 0.97;

/**
 * The level of a type after reviews: the posteriors of its shifts, and of the hypothesis that no event of the
 * type has a recorded cause, against all shifts together.
 */
export function levelAfter(before: Level, reviews: readonly ReviewedEvent[]): Level {
  if (reviews.length === 0) return before;
  const after = (isShared: boolean) =>
    shiftAfter(
      ofSharing(before.logOdds, isShared),
      reviews.filter((review) => review.isShared === isShared),
    );
  const [shared, apart] = [after(true), after(false)];
  const odds = Math.log(before.causeless / (1 - before.causeless)) + shared.without + apart.without;
  return {
    logOdds: {
      shared: before.logOdds.shared + shared.shift,
      apart: before.logOdds.apart + apart.shift,
    },
    causeless: before.causeless === 0 ? 0 : Math.min(MAX_CAUSELESS, toShare(odds)),
  };
}

/**
 * The posterior mean of a shift on a grid.
 * @returns without: the log of how much likelier the answers are if no event has a recorded cause
 */
export function shiftAfter(
  before: number,
  reviews: readonly ReviewedEvent[],
): { readonly shift: number; readonly without: number } {
  const cells = SHIFTS.map((shift) => ({
    shift,
    log: reviews.reduce(
      (sum, { logOdds, isCaused, weight }) =>
        sum + weight * Math.log(saidOf(isCaused, toShare(logOdds + before + shift))),
      -((shift / SHIFT_SD) ** 2) / 2,
    ),
  }));
  const most = cells.reduce((max, { log }) => Math.max(max, log), Number.NEGATIVE_INFINITY);
  const total = cells.reduce((sum, { log }) => sum + Math.exp(log - most), 0);
  const shift = cells.reduce(
    (sum, cell) => sum + (cell.shift * Math.exp(cell.log - most)) / total,
    0,
  );
  const without = reviews.reduce(
    (sum, { isCaused, weight }) => sum + weight * Math.log(saidOf(isCaused, 0)),
    0,
  );
  return { shift, without: without - most - Math.log(total / PRIOR_TOTAL) };
}

const PRIOR_TOTAL = SHIFTS.reduce(
  (sum, shift) => sum + Math.exp(-((shift / SHIFT_SD) ** 2) / 2),
  0,
);

/** How likely an answer is if a share of such events has a recorded cause. */
const saidOf = (isCaused: boolean, share: number): number =>
  WRONG / 2 + (1 - WRONG) * (isCaused ? share : 1 - share);
