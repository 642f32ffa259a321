/** Something that was audited. */
export interface Unit {
  /** How many events of the ledger it represents; above 0. */
  readonly weight: number;
  /** 1 if it is right, 0 if not, or the part that is. */
  readonly right: number;
}

/** A weighted share with its 95 % interval. */
export interface Proportion {
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly units: number;
  /** How many units of equal weight would say as much. */
  readonly effective_units: number;
}

/** Quantile of the standard normal distribution: 95 % lie within so many deviations of the mean. */
const DEVIATIONS = 1.959963984540054;

/**
 * The weighted share of units that are right, with the interval of Wilson (1927) on the effective number
 * of units: that of Kish (1965), or what the spread of the weighted answers allows where that is less.
 * @returns null without units
 */
export function proportionOf(units: readonly Unit[]): Proportion | null {
  if (units.length === 0) return null;
  const all = sum(units, ({ weight }) => weight);
  const value = sum(units, ({ weight, right }) => weight * right) / all;
  const kish = all ** 2 / sum(units, ({ weight }) => weight ** 2);
  const variance = sum(units, ({ weight, right }) => (weight * (right - value)) ** 2) / all ** 2;
  const effective = variance > 0 ? Math.min(kish, (value * (1 - value)) / variance) : kish;
  return { value, ...wilson(value, effective), units: units.length, effective_units: effective };
}

/** @param count how many equal units a share was seen in; above 0 */
function wilson(share: number, count: number): { readonly low: number; readonly high: number } {
  const square = DEVIATIONS ** 2;
  const centre = share + square / (2 * count);
  const reach = DEVIATIONS * Math.sqrt((share * (1 - share)) / count + square / (4 * count ** 2));
  const scale = 1 + square / count;
  return {
    low: Math.max(0, (centre - reach) / scale),
    high: Math.min(1, (centre + reach) / scale),
  };
}

export const sum = <Item>(items: readonly Item[], of: (item: Item) => number): number =>
  items.reduce((total, item) => total + of(item), 0);
