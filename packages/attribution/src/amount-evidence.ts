import type { AmountFit } from '@decision-ledger/contract/explanation';
import { mayAct, readOnly } from './actions.js';
import { type FittedAmount, STATED_AMOUNT, statesAmount } from './amount-fit.js';
import type { ComparedDecision, ComparedEvent } from './comparison.js';
import { bitsOf, type Frequencies } from './frequencies.js';
import type { HashedAmount } from './hashed-features.js';
import { namesTransaction } from './identifier-matches.js';
import type { Knowledge } from './knowledge.js';
import type { SharedValues } from './shared-values.js';
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
  all: readonly CountedFit[],
  { event, knowledge }: AmountContext,
): number {
  if (all.some(({ shared, fit }) => shared.matches.ids.length > 0 && fit.fit !== 'none')) return 0;
  return -Math.log(knowledge.amounts(event.eventType)?.none ?? 1);
}

/** How many decisions state the amount of the event, as counted or at hand. */
export function holdersOfAmount(
  all: readonly CountedFit[],
  { event, frequencies }: AmountContext,
): number {
  const counted = event.amountTokens
    .map((token) => frequencies.byToken.get(token) ?? 0)
    .reduce((sum, count) => sum + count, 0);
  const atHand = all.filter(({ fit }) => statesAmount(fit.fit)).length;
  return Math.max(1, counted, atHand);
}

/** A decision with what it shares with the event, and how the amounts that it states fit. */
export interface StatedFit {
  readonly decision: ComparedDecision;
  readonly shared: SharedValues;
  readonly stated: FittedAmount;
}

/** The same, with the fit that counts for it. */
export interface CountedFit extends StatedFit {
  readonly fit: FittedAmount;
}

/** A number that so many decisions hold, or fewer, is that of one document: an offer, a quote, a request. */
const MAX_CITING = 3;
const NOTHING: FittedAmount = { fit: 'none', chances: 1 };

/**
 * An amount counts for the decision that acts on it. Who accepts an offer moves the money, not who made it, and
 * who looked an order up only says what it costs.
 * @param heldBy how many decisions hold a token
 */
export function citedAmounts(
  all: readonly StatedFit[],
  heldBy: (token: number) => number,
): CountedFit[] {
  const fits = new Map(all.map(({ decision, stated }) => [decision, stated]));
  const steps = all.toSorted((a, b) => a.decision.timestamp - b.decision.timestamp);
  const offers = steps
    .filter(({ stated }) => surenessOf(stated) > 0)
    .sort((a, b) => surenessOf(b.stated) - surenessOf(a.stated));
  const only = onlyActing(steps);
  for (const offer of offers) {
    const isFree = ({ decision }: StatedFit) => fits.get(decision)?.fit === 'none';
    const acting = isDescription(offer) ? only : citing(offer, steps.filter(isFree), heldBy);
    if (acting === undefined || !mayTake(acting, offer)) continue;
    fits.set(acting.decision, offer.stated);
    fits.set(offer.decision, NOTHING);
  }
  return all.map((one) => ({ ...one, fit: fits.get(one.decision) ?? one.stated }));
}

const mayTake = ({ decision, stated }: StatedFit, offer: StatedFit): boolean =>
  stated.fit === 'none' && decision.timestamp >= offer.decision.timestamp;

/** Whether a decision that only reads states the amount of a transaction. */
const isDescription = ({ decision, shared, stated }: StatedFit): boolean =>
  readOnly(decision.actionType) === 1 &&
  namesTransaction(shared.matches) &&
  STATED_AMOUNT[stated.fit] === 'equal';

/** The decision that acts on the transaction, if no other one does. */
function onlyActing(steps: readonly StatedFit[]): StatedFit | undefined {
  const [only, ...others] = steps.filter(
    ({ decision, shared }) => mayAct(decision) && namesTransaction(shared.matches),
  );
  return others.length === 0 ? only : undefined;
}

/**
 * The first decision that names the transaction of the event, and cites the document in which an earlier one
 * stated the amount before there was a transaction.
 */
function citing(
  offer: StatedFit,
  steps: readonly StatedFit[],
  heldBy: (token: number) => number,
): StatedFit | undefined {
  const documents = documentsOf(offer.shared, heldBy);
  if (documents.size === 0) return undefined;
  return steps.find(
    (step) =>
      mayTake(step, offer) &&
      !step.decision.saysItFailed &&
      readOnly(step.decision.actionType) === 0 &&
      namesTransaction(step.shared.matches) &&
      step.decision.features.mentions.some(({ canonical }) => documents.has(canonical)),
  );
}

/** The amount of the event comes before another one. */
function surenessOf({ fit }: FittedAmount): number {
  const stated = STATED_AMOUNT[fit];
  return stated === 'equal' ? 2 : stated === 'other' ? 1 : 0;
}

/** The tokens of the documents of a decision that concerns the event only through them. */
function documentsOf(
  { matches }: SharedValues,
  heldBy: (token: number) => number,
): ReadonlySet<number> {
  const linked = matches.ids.filter(
    ({ form, token }) => form === 'linked' && heldBy(token) <= MAX_CITING,
  );
  return new Set(linked.map(({ token }) => token));
}

/**
 * Which decisions only state the amount of the event again: the last statement before them about the same
 * thing has it too, and they add another amount. A record of past payments repeats what earlier
 * steps moved.
 */
export function statedAgain(
  { minorUnits, minorPerUnit, isNegative }: ComparedEvent,
  all: readonly SharedValues[],
): ReadonlySet<ComparedDecision> {
  const again = new Set<ComparedDecision>();
  if (minorUnits === null) return again;
  const isTarget = (value: number) => value === minorUnits || value === minorUnits / minorPerUnit;
  let last: ReadonlySet<number> = new Set();
  for (const { decision, money } of statements(all)) {
    const equal = money.filter(({ value }) => isTarget(value));
    const signed = equal.filter((amount) => amount.isNegative === isNegative);
    const own = signed.length > 0 ? signed : equal;
    const isNew = (amount: HashedAmount) => !last.has(nameOf(amount));
    if (own.length > 0 && !own.some(isNew) && money.some(isNew)) again.add(decision);
    last = new Set(money.map(nameOf));
  }
  return again;
}

/** What the holders state, in the order of time. */
function statements(all: readonly SharedValues[]) {
  return all
    .filter(({ isHolder }) => isHolder)
    .map(({ decision }) => {
      return { decision, money: decision.features.amounts.filter(({ isMoney }) => isMoney) };
    })
    .filter(({ money }) => money.length > 0)
    .sort((a, b) => a.decision.timestamp - b.decision.timestamp);
}

const nameOf = ({ value, isNegative }: HashedAmount): number => (isNegative ? -value : value);
