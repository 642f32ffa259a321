import { type AmountFit, type FittedAmount, statesAmount } from './amount-fit.js';
import type { ComparedDecision, ComparedEvent, Frequencies } from './compared.js';
import type { Knowledge } from './knowledge.js';
import { bitsOf } from './matches.js';
import { readOnly } from './read-only.js';
import type { FeatureValues } from './snapshot.js';

interface AmountContext {
  readonly event: ComparedEvent;
  readonly frequencies: Frequencies;
  readonly knowledge: Knowledge;
}

const MAX_AMOUNT_BITS = 12;
/** Share of the causes with money that state other money, before anything is known. */
const OTHER_PRIOR = 1 / 3;
const PART_BITS = 8;
/** What only reads about an order states its amount whether or not money moves: half of it is in the identifier. */
const DESCRIBED = 0.5;
/** A surcharge is often the work of a later step, which does not state the amount that it raises. */
const ABOVE = 0.5;

/**
 * @param holders how many decisions state the amount of the event
 * @param about the decision, if it shares an identifier with the event; else null
 */
export function amountFeatures(
  { fit, chances, isAbove }: FittedAmount,
  holders: number,
  { event, frequencies, knowledge }: AmountContext,
  about: Pick<ComparedDecision, 'actionType'> | null,
): FeatureValues {
  const lost = Math.log2(Math.max(1, chances / 2));
  const known = about !== null && readOnly(about.actionType) === 1 ? DESCRIBED : 1;
  const bits = known * Math.min(MAX_AMOUNT_BITS, Math.max(0, bitsOf(frequencies, holders) - lost));
  // How many bits the amount itself has: a small one is a part of many.
  const own = Math.log2(event.minorUnits ?? 1);
  const partial = Math.max(0, Math.min(1, (own - Math.log2(chances)) / PART_BITS));
  const { other: mismatch = OTHER_PRIOR } = knowledge.amounts(event.eventType) ?? {};
  const values: { readonly [Fit in AmountFit]: FeatureValues } = {
    equal: { amount_equal: bits },
    minor: { amount_minor: bits },
    converted: { amount_converted: 1 / Math.sqrt(chances) },
    sum: { amount_sum: partial },
    part: { amount_part: isAbove === true ? ABOVE * partial : partial },
    below: { amount_other: -Math.log(mismatch) },
    other: { amount_other: -Math.log(mismatch) },
    none: {},
  };
  return values[fit];
}

/** Minus the log of the share of causes that state no money, if no decision with an identifier states any. */
export function unstatedOf(
  hasIds: readonly boolean[],
  fits: readonly FittedAmount[],
  { event, knowledge }: AmountContext,
): number {
  if (fits.some(({ fit }, at) => hasIds[at] === true && fit !== 'none')) return 0;
  return -Math.log(knowledge.amounts(event.eventType)?.none ?? 1);
}

export function holdersOfAmount(
  { event, frequencies }: AmountContext,
  fits: readonly FittedAmount[],
): number {
  const counted = event.amountTokens
    .map((token) => frequencies.byToken.get(token) ?? 0)
    .reduce((sum, count) => sum + count, 0);
  const atHand = fits.filter(({ fit }) => statesAmount(fit)).length;
  return Math.max(1, counted, atHand);
}
