import { measureCases } from './case-metrics.js';
import { createRandom } from './random.js';
import { measureRange } from './range.js';
import { rateOn } from './worlds/money.js';

const BINS = 10;
const SIMULATIONS = 60;
const LABELS = ['matched', 'guessed'];

/**
 * @typedef {{ event: import('./worlds/builder.js').Event, ranked: { ref: string, share: number }[],
 *   suggested: { ref: string, share: number, label: string }[], none: number, worth: number,
 *   isFirstRight: boolean, isOfCase: (ref: string) => boolean }} Judged an outcome beside its truth; worth in the
 *   base currency; isOfCase: whether a decision is the cause or about the same transaction
 */

/**
 * @param {import('./method.js').Outcome} outcome
 * @param {import('./worlds/builder.js').Event} event the same event, with its truth
 * @param {Pick<import('./worlds/builder.js').World, 'settings' | 'cases'>} world
 * @returns {Judged}
 */
export function judge(outcome, event, { settings, cases }) {
  const rate = rateOn(settings, event.currency, event.timestamp);
  return {
    ...outcome,
    event,
    worth: Math.abs(Number(event.amount)) * rate,
    isFirstRight: event.cause !== null && outcome.ranked[0]?.ref === event.cause,
    isOfCase: (ref) =>
      event.cause !== null && (ref === event.cause || cases.get(ref)?.has(event.case_ref) === true),
  };
}

/** @param {Judged[]} judged */
export function measure(judged) {
  const of = (kind) => judged.filter(({ event }) => event.kind === kind);
  const caused = of('caused');
  const identified = caused.filter(({ event }) => event.identified);
  const firsts = firstSuggestions(judged);
  return {
    right_first: mean(caused.map(isFirst)),
    right_identified: mean(identified.map(isFirst)),
    causeless: mean(of('causeless').map(isSuggested)),
    unrecorded: mean(of('unrecorded').map(isSuggested)),
    allocated: allocated(judged) / sum(caused.map(({ worth }) => worth)),
    ece: calibrationError(firsts),
    floor: noiseFloor(firsts),
    pr_auc: averagePrecision(judged, caused.length),
    brier: mean(judged.map(brier)),
    ...measureRange(judged),
    ...measureCases(judged),
    ...Object.fromEntries(LABELS.flatMap((label) => ofLabel(judged, caused.length, label))),
  };
}

const isFirst = ({ isFirstRight }) => Number(isFirstRight);
const isSuggested = ({ suggested }) => Number(suggested.length > 0);

/** The first suggestion of each event, as share and whether it is right. */
export const firstSuggestions = (judged) =>
  judged.flatMap(({ event, suggested: [first] }) =>
    first === undefined
      ? []
      : [{ share: first.share, isRight: event.cause !== null && first.ref === event.cause }],
  );

/** Money that the suggestions give to decisions, right or wrong. */
const allocated = (judged) =>
  sum(judged.map(({ worth, suggested }) => worth * sum(suggested.map(({ share }) => share))));

function ofLabel(judged, causes, label) {
  const those = judged.flatMap(({ event, suggested }) =>
    suggested.filter((one) => one.label === label).map(({ ref }) => ref === event.cause),
  );
  const right = those.filter((isTrue) => isTrue).length;
  return [
    [`precision_${label}`, right / those.length],
    [`recall_${label}`, right / causes],
  ];
}

/** Squared difference between the shares and the truth, summed over the decisions and none. */
function brier({ event, ranked, none }) {
  const isNone = Number(event.cause === null);
  const isFound = ranked.some(({ ref }) => ref === event.cause);
  const missed = isNone === 1 || isFound ? 0 : 1;
  const pairs = ranked.map(({ ref, share }) => (share - Number(ref === event.cause)) ** 2);
  return sum(pairs) + (none - isNone) ** 2 + missed;
}

/**
 * Area under the precision-recall curve of all pairs of event and decision, as average precision; equal
 * shares count as one step, causes that are not ranked as not found.
 */
function averagePrecision(judged, causes) {
  const pairs = judged.flatMap(({ event, ranked }) =>
    ranked.map(({ ref, share }) => ({ share, isTrue: ref === event.cause })),
  );
  pairs.sort((a, b) => b.share - a.share);
  let [seen, right, area] = [0, 0, 0];
  while (seen < pairs.length) {
    const { share } = pairs[seen];
    let gained = 0;
    while (seen < pairs.length && pairs[seen].share === share) {
      gained += Number(pairs[seen++].isTrue);
    }
    right += gained;
    area += (gained / causes) * (right / seen);
  }
  return area;
}

/**
 * Expected calibration error in ten bins of equally many.
 * @param {{ share: number, isRight: boolean }[]} firsts
 */
export function calibrationError(firsts) {
  const sorted = [...firsts].sort((a, b) => a.share - b.share);
  return errorOfBins(sorted.map(({ share, isRight }) => share - Number(isRight)));
}

/** @param {number[]} gaps between share and truth, in the order of the shares */
function errorOfBins(gaps) {
  let error = 0;
  for (let bin = 0; bin < BINS; bin++) {
    const from = Math.floor((gaps.length * bin) / BINS);
    error += Math.abs(sum(gaps.slice(from, Math.floor((gaps.length * (bin + 1)) / BINS))));
  }
  return error / gaps.length;
}

/** The mean error of a perfect model with as many suggestions and the same shares. */
export function noiseFloor(firsts) {
  const random = createRandom(firsts.length);
  const shares = firsts.map(({ share }) => share).sort((a, b) => a - b);
  const errors = Array.from({ length: SIMULATIONS }, () =>
    errorOfBins(shares.map((share) => share - Number(random.chance(share)))),
  );
  return mean(errors);
}

const sum = (values) => values.reduce((total, value) => total + value, 0);

/** NaN without values. */
export const mean = (values) => sum(values) / values.length;
