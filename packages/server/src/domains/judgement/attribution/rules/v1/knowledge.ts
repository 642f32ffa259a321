import { fitCalibration } from './calibrate.js';
import { learnedHalfLife } from './half-life.js';
import type { Parameters } from './parameters.js';
import { type UsualAmounts, usualAmounts } from './plausibility.js';
import { patternMean, type ReviewCounts } from './priors.js';
import type { Model } from './score.js';

export interface Pattern {
  readonly event_type: string;
  readonly action_type: string;
  readonly agent_id: string;
}

/** A review that was not withdrawn. */
export interface Review {
  readonly verdict: 'confirmed' | 'rejected';
  readonly action_type: string;
  readonly currency: string;
  /** Decimal text. */
  readonly magnitude: string;
  readonly lag_hours: number;
  /** Null for a link that was not suggested. */
  readonly raw_logit: number | null;
}

/** The model of a ledger, with what its reviews have taught. */
export interface Knowledge {
  readonly model: Model;
  halfLifeHours(actionType: string): number;
  /** The longest half-life of any action type. */
  readonly longestHalfLifeHours: number;
  /** Null before any review. */
  agentPattern(pattern: Pattern): number | null;
  usualAmounts(actionType: string, currency: string): UsualAmounts | null;
}

/** @param today days since the epoch */
export function learn(
  parameters: Parameters,
  reviews: readonly Review[],
  patterns: readonly (Pattern & ReviewCounts)[],
  today: number,
): Knowledge {
  const confirmed = reviews.filter(({ verdict }) => verdict === 'confirmed');
  const lags = groupBy(confirmed, ({ action_type }) => action_type);
  const amounts = groupBy(confirmed, ({ action_type, currency }) => `${currency} ${action_type}`);
  const byAction = groupBy(
    patterns,
    ({ event_type, action_type }) => `${event_type}\n${action_type}`,
  );
  const set = (actionType: string) =>
    Object.hasOwn(parameters.half_life_hours_by_action_type, actionType)
      ? parameters.half_life_hours_by_action_type[actionType]
      : undefined;
  const halfLifeHours = memoized((actionType: string) =>
    learnedHalfLife(
      set(actionType) ?? parameters.half_life_hours,
      (lags.get(actionType) ?? []).map(({ lag_hours }) => Math.max(0, lag_hours)),
    ),
  );
  const usual = memoized((key: string) =>
    usualAmounts(
      (amounts.get(key) ?? [])
        .map(({ magnitude }) => Number(magnitude))
        .filter((magnitude) => magnitude > 0),
    ),
  );
  const mean = memoized((key: string) => {
    const [action = '', agentId] = key.split('\r');
    const rows = byAction.get(action) ?? [];
    const agent = rows.filter((row) => row.agent_id === agentId);
    return patternMean({ all: patterns, action: rows, agent }, today);
  });
  const reviewed = reviews.flatMap(({ raw_logit, verdict }) =>
    raw_logit === null ? [] : [{ logit: raw_logit, isConfirmed: verdict === 'confirmed' }],
  );
  return {
    model: { parameters, calibration: fitCalibration(reviewed) },
    halfLifeHours,
    longestHalfLifeHours: Math.max(
      parameters.half_life_hours,
      ...Object.values(parameters.half_life_hours_by_action_type),
      ...[...lags.keys()].map(halfLifeHours),
    ),
    agentPattern: ({ event_type, action_type, agent_id }) =>
      patterns.length === 0 ? null : mean(`${event_type}\n${action_type}\r${agent_id}`),
    usualAmounts: (actionType, currency) => usual(`${currency} ${actionType}`),
  };
}

/** Caches a function of a key, which is called for every candidate. */
function memoized<Value>(compute: (key: string) => Value): (key: string) => Value {
  const values = new Map<string, Value>();
  return (key) => {
    const known = values.get(key);
    if (known !== undefined) return known;
    const value = compute(key);
    values.set(key, value);
    return value;
  };
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
