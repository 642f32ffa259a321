/** Something that was audited. */
export interface AuditedUnit {
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
export function proportionOf(units: readonly AuditedUnit[]): Proportion | null {
  if (units.length === 0) return null;
  const all = sumBy(units, ({ weight }) => weight);
  const value = sumBy(units, ({ weight, right }) => weight * right) / all;
  const kish = all ** 2 / sumBy(units, ({ weight }) => weight ** 2);
  const variance = sumBy(units, ({ weight, right }) => (weight * (right - value)) ** 2) / all ** 2;
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

export const sumBy = <Item>(items: readonly Item[], of: (item: Item) => number): number =>
  items.reduce((total, item) => total + of(item), 0);

/** An audited suggestion with the share that was suggested. */
export interface Predicted extends AuditedUnit {
  readonly share: number;
}

export interface CalibrationBin extends Omit<Proportion, 'value'> {
  readonly from: number;
  readonly to: number;
  readonly mean_share: number;
  readonly observed: number;
}

export interface Calibration {
  readonly suggestions: number;
  readonly mean_share: number;
  readonly observed: number;
  /** Weighted mean distance between the mean share and what was observed, over the bins. */
  readonly ece: number;
  /** Mean of the same for a perfectly calibrated model. */
  readonly ece_by_chance: number;
  readonly bins: readonly CalibrationBin[];
}

const BINS = 10;

/** Compares suggested shares with answers, by tenths of the share. @returns null without suggestions */
export function calibrationOf(units: readonly Predicted[]): Calibration | null {
  if (units.length === 0) return null;
  const all = sumBy(units, ({ weight }) => weight);
  const bins = Array.from({ length: BINS }, (_none, index) =>
    units.filter(({ share }) => Math.min(BINS - 1, Math.floor(share * BINS)) === index),
  );
  const distances = bins.map((own) => Math.abs(sumBy(own, (unit) => gap(unit))));
  return {
    suggestions: units.length,
    mean_share: sumBy(units, ({ weight, share }) => weight * share) / all,
    observed: sumBy(units, ({ weight, right }) => weight * right) / all,
    ece: sumBy(distances, (distance) => distance) / all,
    ece_by_chance: Math.min(1, sumBy(bins, chanceOf) / all),
    bins: bins.flatMap((own, index) => describeBin(own, index)),
  };
}

const gap = ({ weight, share, right }: Predicted): number => weight * (right - share);

/** The mean distance of a bin by chance, that of a normal distribution, times the weight of the bin. */
function chanceOf(own: readonly Predicted[]): number {
  const variance = sumBy(own, ({ weight, share }) => weight ** 2 * share * (1 - share));
  return Math.sqrt((2 / Math.PI) * variance);
}

function describeBin(own: readonly Predicted[], index: number): CalibrationBin[] {
  const proportion = proportionOf(own);
  if (proportion === null) return [];
  const { value: observed, ...interval } = proportion;
  const mean_share =
    sumBy(own, ({ weight, share }) => weight * share) / sumBy(own, ({ weight }) => weight);
  return [{ from: index / BINS, to: (index + 1) / BINS, mean_share, observed, ...interval }];
}
