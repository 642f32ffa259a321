import { type Proportion, proportionOf, sum, type Unit } from './proportion.js';

/** An audited suggestion with the share that was suggested. */
export interface Predicted extends Unit {
  readonly share: number;
}

export interface ReliabilityBin extends Omit<Proportion, 'value'> {
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
  readonly bins: readonly ReliabilityBin[];
}

const BINS = 10;

/** Compares suggested shares with answers, by tenths of the share. @returns null without suggestions */
export function calibrationOf(units: readonly Predicted[]): Calibration | null {
  if (units.length === 0) return null;
  const all = sum(units, ({ weight }) => weight);
  const bins = Array.from({ length: BINS }, (_none, index) =>
    units.filter(({ share }) => Math.min(BINS - 1, Math.floor(share * BINS)) === index),
  );
  const distances = bins.map((own) => Math.abs(sum(own, (unit) => gap(unit))));
  return {
    suggestions: units.length,
    mean_share: sum(units, ({ weight, share }) => weight * share) / all,
    observed: sum(units, ({ weight, right }) => weight * right) / all,
    ece: sum(distances, (distance) => distance) / all,
    ece_by_chance: Math.min(1, sum(bins, chanceOf) / all),
    bins: bins.flatMap((own, index) => describeBin(own, index)),
  };
}

const gap = ({ weight, share, right }: Predicted): number => weight * (right - share);

/** The mean distance of a bin by chance, that of a normal distribution, times the weight of the bin. */
function chanceOf(own: readonly Predicted[]): number {
  const variance = sum(own, ({ weight, share }) => weight ** 2 * share * (1 - share));
  return Math.sqrt((2 / Math.PI) * variance);
}

function describeBin(own: readonly Predicted[], index: number): ReliabilityBin[] {
  const proportion = proportionOf(own);
  if (proportion === null) return [];
  const { value: observed, ...interval } = proportion;
  const mean_share =
    sum(own, ({ weight, share }) => weight * share) / sum(own, ({ weight }) => weight);
  return [{ from: index / BINS, to: (index + 1) / BINS, mean_share, observed, ...interval }];
}
