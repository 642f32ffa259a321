const BINS = 10;
const LIKELIEST = 12;

/**
 * The metrics of a method on events with known causes.
 * @param {import('./methods.js').Scored[]} scored
 */
export function measure(scored) {
  const pairs = scored.flatMap((item) => item.pairs);
  const caused = scored.filter(({ event }) => event.cause !== null);
  const causeless = scored.filter(({ event }) => event.cause === null);
  const suggested = pairs.filter((pair) => pair.suggested);
  const right = suggested.filter(({ isTrue }) => isTrue).length;
  const firsts = scored.flatMap((item) => first(item) ?? []);
  return {
    precision: right / suggested.length,
    recall: right / caused.length,
    pr_auc: averagePrecision(pairs, caused.length),
    brier: mean(pairs.map(({ share, isTrue }) => (share - Number(isTrue)) ** 2)),
    ece: calibrationError(pairs),
    ece_likeliest: calibrationError(scored.flatMap(likeliest)),
    ece_first: calibrationError(firsts),
    allocated: allocated(scored) / sum(caused.map(({ event }) => event.worth)),
    right_first: caused.filter((item) => first(item)?.isTrue === true).length / caused.length,
    causeless_suggested:
      causeless.filter((item) => item.pairs.some((pair) => pair.suggested)).length /
      causeless.length,
  };
}

/** Money that the suggestions assign to decisions, in minor units of the base currency. */
function allocated(scored) {
  return sum(
    scored.map(
      ({ event, pairs }) =>
        event.worth * sum(pairs.filter((pair) => pair.suggested).map(({ share }) => share)),
    ),
  );
}

/** The likeliest candidates: most others are easy and would dilute the errors. */
const likeliest = ({ pairs }) => [...pairs].sort((a, b) => b.share - a.share).slice(0, LIKELIEST);

/** The candidate with the largest share; null if all shares are 0. */
function first({ pairs }) {
  return pairs.reduce((top, pair) => (pair.share > (top?.share ?? 0) ? pair : top), null);
}

/**
 * Area under the precision-recall curve, as average precision; equal shares count as one step. Causes that
 * are not among the candidates count as not found.
 */
function averagePrecision(pairs, positives) {
  const sorted = [...pairs].sort((a, b) => b.share - a.share);
  let [seen, right, area] = [0, 0, 0];
  while (seen < sorted.length) {
    const { share } = sorted[seen];
    let gained = 0;
    while (seen < sorted.length && sorted[seen].share === share)
      gained += Number(sorted[seen++].isTrue);
    right += gained;
    area += (gained / positives) * (right / seen);
  }
  return area;
}

/** Expected calibration error, in ten bins of equal size. */
function calibrationError(pairs) {
  const sorted = [...pairs].sort((a, b) => a.share - b.share);
  let error = 0;
  for (let bin = 0; bin < BINS; bin++) {
    const from = Math.floor((sorted.length * bin) / BINS);
    const part = sorted.slice(from, Math.floor((sorted.length * (bin + 1)) / BINS));
    const gap = sum(part.map(({ share, isTrue }) => share - Number(isTrue)));
    error += Math.abs(gap) / sorted.length;
  }
  return error;
}

const sum = (values) => values.reduce((total, value) => total + value, 0);
export const mean = (values) => sum(values) / values.length;
