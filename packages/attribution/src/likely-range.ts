import { chiSquareTail } from '@decision-ledger/numerics/distributions';
import { sumBy } from './proportions.js';

/**
 * Money of one event type of which nobody has named the cause, where a recorded decision caused it with about the same
 * probability.
 */
export interface UnnamedMoney {
  readonly eventType: string;
  /** Probability that a recorded decision caused it, 0 to 1. */
  readonly chance: number;
  /** Sum of the amounts above zero. */
  readonly gains: number;
  /** Sum of those below zero; negative. */
  readonly losses: number;
  /** Sum of the squares of all. */
  readonly squares: number;
}

export interface LikelyRange {
  readonly low: number;
  readonly high: number;
}

/** The part of the outcomes below and above the range, each. */
const TAIL = 0.05;

/**
 * By how much the probabilities of a model are wrong together, before people have answered: standard deviations of the log
 * odds, of all event types and of each. Chosen on nine generated ledgers and five of others: docs/analytics.md.
 */
const SHARED = 0.6;
const OF_TYPE = 1.2;
/** So many answers halve the variance of the error that they are about. */
const ANSWERS = 180;
/** A probability is never nearer to 0 or 1 than these log odds: the model may not know a whole kind of cause. */
const MAX_LOG_ODDS = 4;

/**
 * What a sum may be once every cause is known, in 9 cases of 10. Events of a type share the error of their probabilities, and
 * all types share one more: neither averages out over many events. What is left is independent.
 *
 * The shared error is a mixture of nine equally likely values, that of a type is integrated by Gauss-Hermite quadrature
 * (Abramowitz and Stegun, 25.4.46), and given both, a sum is normal. No end is beyond what is possible.
 * @param answers how many events of each type people have named the cause of, or that there is none
 *
 * @example
 * ```ts
 * import { likelyRange } from '@decision-ledger/attribution/likely-range';
 *
 * const money = [{ eventType: 'payment', chance: 0.5, gains: 1000, losses: 0, squares: 10_000 }];
 * const { low, high } = likelyRange(money, new Map());
 * [low > 0, low < 500, high > 500, high < 1000]; // => [true, true, true, true]
 * ```
 */
export function likelyRange(
  money: readonly UnnamedMoney[],
  answers: ReadonlyMap<string, number>,
): LikelyRange {
  if (money.length === 0) return { low: 0, high: 0 };
  const types = byType(money);
  const all = sumBy([...answers.values()], (count) => count);
  const mixture = NINTHS.map((deviation) => {
    const shift = deviation * spread(SHARED, all);
    const parts = [...types].map(([eventType, own]) =>
      sumOfType(own, shift, spread(OF_TYPE, answers.get(eventType) ?? 0)),
    );
    return normal(parts);
  });
  const lowest = sumBy(money, ({ losses }) => losses);
  const highest = sumBy(money, ({ gains }) => gains);
  const within = (value: number) => Math.min(highest, Math.max(lowest, value));
  return { low: within(quantile(mixture, TAIL)), high: within(quantile(mixture, 1 - TAIL)) };
}

function byType(money: readonly UnnamedMoney[]): Map<string, UnnamedMoney[]> {
  const types = new Map<string, UnnamedMoney[]>();
  for (const one of money) {
    const own = types.get(one.eventType);
    if (own === undefined) types.set(one.eventType, [one]);
    else own.push(one);
  }
  return types;
}

const spread = (before: number, answers: number): number =>
  before / Math.sqrt(1 + answers / ANSWERS);

interface Moments {
  readonly mean: number;
  readonly variance: number;
}

/** The sum of independent parts. */
function normal(parts: readonly Moments[]): Moments {
  return {
    mean: sumBy(parts, ({ mean }) => mean),
    variance: sumBy(parts, ({ variance }) => variance),
  };
}

/** Deviations and weights of five points of the standard normal distribution. */
const HERMITE = [
  [-2.8569700138728056, 0.011257411327720691],
  [-1.3556261799742659, 0.2220759220056126],
  [0, 0.5333333333333333],
  [1.3556261799742659, 0.2220759220056126],
  [2.8569700138728056, 0.011257411327720691],
] as const;

/** Medians of nine equal parts of the standard normal distribution. */
const NINTHS = [
  ...[-1.5932188180230502, -0.9674215661017009, -0.5894557978497783, -0.2822161482117265],
  ...[0, 0.2822161482117265, 0.5894557978497783, 0.9674215661017009, 1.5932188180230502],
];

/** The sum of a type over the values that its own error may have. */
function sumOfType(own: readonly UnnamedMoney[], shift: number, deviation: number): Moments {
  let [mean, square] = [0, 0];
  for (const [value, weight] of HERMITE) {
    const { mean: at, variance } = sumAt(own, shift + value * deviation);
    mean += weight * at;
    square += weight * (variance + at * at);
  }
  return { mean, variance: Math.max(0, square - mean * mean) };
}

/** The sum if all probabilities are wrong by so much, in log odds. */
function sumAt(own: readonly UnnamedMoney[], shift: number): Moments {
  let [mean, variance] = [0, 0];
  for (const { chance, gains, losses, squares } of own) {
    const odds = Math.log(chance / (1 - chance));
    const logOdds = Math.min(MAX_LOG_ODDS, Math.max(-MAX_LOG_ODDS, odds)) + shift;
    const moved = 1 / (1 + Math.exp(-logOdds));
    mean += moved * (gains + losses);
    variance += moved * (1 - moved) * squares;
  }
  return { mean, variance };
}

/** Halvings of an interval: more digits than a cent of a billion needs. */
const HALVINGS = 60;
/** No normal distribution reaches farther, in deviations. */
const REACH = 8;

/** The value below which a part of equally likely normal distributions lies. */
function quantile(mixture: readonly Moments[], part: number): number {
  const ends = mixture.flatMap(({ mean, variance }) => {
    const reach = REACH * Math.sqrt(variance);
    return [mean - reach, mean + reach];
  });
  let [low, high] = [Math.min(...ends), Math.max(...ends)];
  for (let turn = 0; turn < HALVINGS; turn += 1) {
    const middle = (low + high) / 2;
    const below = sumBy(mixture, (one) => partBelow(one, middle)) / mixture.length;
    if (below < part) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

function partBelow({ mean, variance }: Moments, value: number): number {
  if (variance === 0) return value < mean ? 0 : 1;
  const tail = chiSquareTail((value - mean) ** 2 / variance, 1) / 2;
  return value < mean ? tail : 1 - tail;
}
