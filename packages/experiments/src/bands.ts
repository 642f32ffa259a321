import { type Sample, valueAt } from './sample.js';

/** Decisions in classes of something that is known before an assignment. */
export interface Bands {
  /** Upper ends of the bands, ascending; the last band has none. */
  readonly ends: readonly number[];
  /** The band of a decision; null if it is too near to an end. */
  of(cluster: number, index: number): number | null;
}

/** All decisions in one band. */
export const WHOLE: Bands = { ends: [], of: () => 0 };

const MOST_BANDS = 4;
/** Fewer customers for each band say too little. */
const CUSTOMERS = 40;
/** The ends are quantiles of at most so many values, evenly spaced in the sample. */
const MOST_VALUES = 10_000;

interface Values {
  /** The number of customers or decisions. */
  readonly places: number;
  at(place: number): number;
  placeOf(cluster: number, index: number): number;
  /** Values are exact to within so much. */
  readonly margin: number;
}

/**
 * Bands of about equal size; equal values are in one band.
 * @returns null if there are too few customers, or one band would hold all
 */
function bandsOf({ clusters }: Sample, { places, at, placeOf, margin }: Values): Bands | null {
  const count = Math.min(MOST_BANDS, Math.floor(clusters / CUSTOMERS));
  const stride = Math.max(1, Math.ceil(places / MOST_VALUES));
  const values = Float64Array.from({ length: Math.ceil(places / stride) }, (_, turn) =>
    at(turn * stride),
  ).sort();
  const ends: number[] = [];
  for (let band = 1; band < count; band += 1) {
    const value = valueAt(values, Math.floor((band * values.length) / count));
    const above = values.find((other) => other > value);
    if (above === undefined) break;
    const end = (value + above) / 2;
    if (end > (ends.at(-1) ?? Number.NEGATIVE_INFINITY)) ends.push(end);
  }
  if (ends.length === 0) return null;
  return {
    ends,
    of(cluster, index) {
      const value = at(placeOf(cluster, index));
      if (ends.some((end) => Math.abs(value - end) < margin)) return null;
      return ends.filter((end) => value > end).length;
    },
  };
}

/** @param values one for each customer */
export function bandsOfCustomers(sample: Sample, values: Float64Array): Bands | null {
  return bandsOf(sample, {
    places: sample.clusters,
    at: (cluster) => valueAt(values, cluster),
    placeOf: (cluster) => cluster,
    margin: 0,
  });
}

/** @param margin the values are exact to within so much: what is nearer to an end is left out */
export function bandsOfDecisions(
  sample: Sample,
  at: (index: number) => number,
  margin = 0,
): Bands | null {
  return bandsOf(sample, {
    places: sample.decisions,
    at,
    placeOf: (_, index) => index,
    margin,
  });
}
