import { byName, FEATURES, type FeatureName } from '@decision-ledger/contract/attribution-signals';
import type { Steps } from '@decision-ledger/contract/steps';
import { inactionOf } from './actions.js';
import {
  type ChoiceSet,
  fitWeights,
  type Option,
  probabilitiesOf,
  STEP_CHOICES,
} from './choice-model.js';
import type { Knowledge } from './knowledge.js';
import type { FeatureValues, ReviewedChoice } from './snapshot.js';
import { PRIORS, type Weights } from './weights.js';

/** The features whose weights are learned. */
const LEARNED = FEATURES.filter(({ name }) => PRIORS[name].sd > 0);
const FIXED = FEATURES.filter(({ name }) => PRIORS[name].sd === 0 && name !== 'unrecorded');

/** Days after which a review weighs half. */
const HALF_LIFE_DAYS = 90;
/** From so many audits on, they alone calibrate: other reviews may be of events that somebody picked. */
const ENOUGH_AUDITS = 30;

/** The weight of a review by its age. */
export const reviewDecay = (age: number): number => 2 ** (-Math.max(0, age) / HALF_LIFE_DAYS);

/** Whether any candidate shares an identifier with the event. */
export const sharesIdentifier = ({ candidates }: Pick<ReviewedChoice, 'candidates'>): boolean =>
  candidates.some(({ features }) => features.ledger !== undefined);

/** A choice, ready for the fit, with the one that it was made from. */
export interface Prepared {
  readonly choice: ReviewedChoice;
  readonly set: ChoiceSet;
  /** Whether "none" is among its options, as the last one. */
  readonly hasNone: boolean;
  /** Probability that no event of the type has a recorded cause. */
  readonly causeless: number;
  /** Probability that no candidate did what moved the money. */
  readonly inaction: number;
}

export function* prepareChoices(
  choices: readonly ReviewedChoice[],
  weights: Weights,
  today: number,
  causelessOf: Knowledge['causeless'] = () => 0,
): Steps<Prepared[]> {
  const audits = choices.filter(({ kind }) => kind === 'audit');
  const auditWeight = audits.reduce((sum, { weight }) => sum + weight, 0) / audits.length;
  const prepared: Prepared[] = [];
  for (const [at, choice] of choices.entries()) {
    if (at % STEP_CHOICES === 0) yield;
    const { kind, candidates, none, day } = choice;
    const hasNone = kind !== 'manual';
    const isCertain = none === 'cause' || candidates.some(({ verdict }) => verdict === 'cause');
    const options = candidates.map(({ features, verdict }) =>
      optionOf(features, weights, isCertain ? verdict === 'cause' : verdict !== 'not_cause'),
    );
    if (hasNone) options.push(nothing(isCertain ? none === 'cause' : none !== 'not_cause'));
    const possible = options.filter(({ isPossible }) => isPossible).length;
    if (possible === 0 || possible === options.length) continue;
    const own = kind === 'audit' ? choice.weight / auditWeight : choice.weight;
    const set = { options, weight: own * reviewDecay(today - day) };
    const inaction = inactionOf(
      candidates.map(({ features }) => features),
      weights,
    );
    const causeless = causelessOf(choice.event_type, choice.kinds ?? []) ?? 0;
    prepared.push({ choice, hasNone, set, inaction, causeless });
  }
  return prepared;
}

function optionOf(features: FeatureValues, weights: Weights, isPossible: boolean): Option {
  return {
    values: LEARNED.map(({ name }) => features[name] ?? 0),
    offset: FIXED.reduce((sum, { name }) => sum + (features[name] ?? 0) * weights[name], 0),
    isPossible,
  };
}

const nothing = (isPossible: boolean): Option => ({
  values: LEARNED.map(() => 0),
  offset: 0,
  isPossible,
});

/** Part of the reviews that is expected to be wrong, and spread over all options. */
const WRONG = 0.05;
const ROUNDS = 4;

/**
 * Learns the weights, and the probability of an unrecorded cause. A review that the model finds
 * implausible counts less, by the probability that it is not one of the wrong ones; so that one odd
 * review moves little (expectation and maximisation, a fixed number of rounds).
 */
export function* learnWeights(
  prepared: readonly Prepared[],
  start: Weights,
  unrecordedStart: { readonly mean: number; readonly weight: number },
): Steps<{ readonly weights: Weights; readonly unrecorded: number }> {
  const ridge = {
    means: LEARNED.map(({ name }) => start[name]),
    precisions: LEARNED.map(({ name }) => precisionOf(name, start)),
  };
  let learned = [...ridge.means];
  let unrecorded = unrecordedStart.mean;
  for (let round = 0; round < ROUNDS; round++) {
    const judged = prepared.map((one) => ({ one, ...judge(one, learned, unrecorded) }));
    const sets = judged.map(({ one: { set }, trust }) => ({
      ...set,
      weight: set.weight * trust,
    }));
    yield;
    learned = yield* fitWeights(sets, ridge);
    unrecorded = unrecordedOf(judged, unrecordedStart);
  }
  const weights: Record<FeatureName, number> = { ...start };
  LEARNED.forEach(({ name }, at) => {
    weights[name] = learned[at] ?? start[name];
  });
  return { weights: yield* calibrated(prepared, weights, learned, unrecorded), unrecorded };
}

/**
 * Slope of the log-odds, and their level for events that share an identifier and for those that do not: before
 * reviews, they are believed as they are.
 */
const CALIBRATION = { means: [1, 0, 0], precisions: [1 / 0.3 ** 2, 1, 1] };

/** Scales all log-odds, and shifts their levels, to fit the answers (Platt, 1999). */
function* calibrated(
  prepared: readonly Prepared[],
  weights: Weights,
  learned: readonly number[],
  unrecorded: number,
): Steps<Weights> {
  const audits = prepared.filter(({ choice }) => choice.kind === 'audit');
  const answers =
    audits.length >= ENOUGH_AUDITS ? audits : prepared.filter(({ hasNone }) => hasNone);
  const sets = answers.map((one): ChoiceSet => {
    const isShared = sharesIdentifier(one.choice);
    const options = one.set.options.map(({ values, offset, isPossible }, at, { length }) => {
      const logOdds = values.reduce((sum, value, k) => sum + value * (learned[k] ?? 0), offset);
      const calibrating = [logOdds, Number(isShared), Number(!isShared)];
      return { values: at === length - 1 ? [0, 0, 0] : calibrating, offset: 0, isPossible };
    });
    const { trust } = judge(one, learned, unrecorded);
    return { options, weight: one.set.weight * trust };
  });
  const [slope = 1, shared = 0, apart = 0] = yield* fitWeights(sets, CALIBRATION);
  const scaled = byName(FEATURES, ({ name }) => weights[name] * Math.max(MIN_SLOPE, slope));
  return {
    ...scaled,
    unrecorded: 1,
    base: scaled.base + shared,
    apart: scaled.apart + apart - shared,
  };
}

/** Calibration keeps the order of candidates. */
const MIN_SLOPE = 0.2;

/** A group that the settings remove stays removed. */
function precisionOf(name: FeatureName, start: Weights): number {
  const { sd, mean } = PRIORS[name];
  return start[name] === 0 && mean !== 0 ? 1e12 : 1 / sd ** 2;
}

interface Judged {
  readonly one: Prepared;
  /** Probability that the logit, not an error and not an unrecorded cause, explains the answer. */
  readonly trust: number;
  /** Probability that the cause is unrecorded. */
  readonly isUnrecorded: number;
}

function judge(one: Prepared, weights: readonly number[], unrecorded: number): Omit<Judged, 'one'> {
  const { set, hasNone, causeless, inaction } = one;
  const gap = 1 - (1 - unrecorded) * (1 - causeless) * (1 - inaction);
  const { possible } = probabilitiesOf(set, weights);
  const saysNone = hasNone && set.options.at(-1)?.isPossible === true;
  const count = set.options.filter(({ isPossible }) => isPossible).length;
  const byLogit = (1 - WRONG) * (1 - gap) * possible;
  const byGap = saysNone ? (1 - WRONG) * gap : 0;
  const byError = (WRONG * count) / set.options.length;
  const total = byLogit + byGap + byError;
  return { trust: byLogit / total, isUnrecorded: (byGap / total) * (unrecorded / gap) };
}

function unrecordedOf(
  judged: readonly Judged[],
  { mean, weight }: { readonly mean: number; readonly weight: number },
): number {
  const those = judged.filter(({ one }) => one.hasNone);
  const gaps = those.reduce((sum, { one, isUnrecorded }) => sum + one.set.weight * isUnrecorded, 0);
  const total = those.reduce((sum, { one }) => sum + one.set.weight, 0);
  return (weight * mean + gaps) / (weight + total);
}
