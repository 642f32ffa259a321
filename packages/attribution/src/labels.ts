import type { AttributionSettings } from '@decision-ledger/contract/attribution';
import { mayAct, readOnly } from './actions.js';
import { STATED_AMOUNT, statesAmount } from './amount-fit.js';
import type { Quality } from './audits.js';
import type { Candidate } from './candidates.js';

const MATCHED_SHARE = 0.5;
/** Three to one against all others together. */
const CLEAR_SHARE = 0.75;
/** Five decisions or fewer hold the transaction's identifier. */
const MIN_TRANSACTION_KEY = 0.6;

/** More suspicion that the cause is unrecorded makes no match. */
const MAX_UNRECORDED = 0.2;
/** An action whose name only reads makes a match where it leads to such events so much more often, in log. */
const MIN_COMPATIBILITY = 1;

/** An action that leads to such events half as often, or less, is no rival; in log. */
const CLEARLY_LESS = Math.LN2;
/** A delay that speaks so clearly against a cause makes no match if few known causes are as late; in log. */
const AGAINST = -3;

/**
 * `matched` only with a transaction's identifier that few decisions hold, or an equal amount that this
 * candidate alone holds, and only if the ledger itself shows nobody else who may have moved the money: a
 * customer or a list price does not make a match.
 * @param share of the event, 0 to 1
 * @param unrecorded probability that the cause is unrecorded
 */
export function labelOf(
  candidate: Candidate,
  share: number,
  unrecorded: number,
  all: readonly Candidate[],
): 'matched' | 'guessed' {
  if (share < MATCHED_SHARE || unrecorded > MAX_UNRECORDED) return 'guessed';
  const { fit, features, isLate } = candidate;
  if (!mayAct(candidate.decision) && (features.compatibility ?? 0) < MIN_COMPATIBILITY)
    return 'guessed';
  if (isLate && (features.time ?? 0) <= AGAINST) return 'guessed';
  const others = all.filter((one) => one !== candidate && acts(one));
  const isSingledOut = STATED_AMOUNT[fit] === 'equal' ? byAmount : byKey;
  return isSingledOut(candidate, others, share) ? 'matched' : 'guessed';
}

/**
 * Others that act on the transaction leave no doubt if they state another amount, or if they came before: the
 * latest that states the amount is mostly the one that pays, where its share is clear. One that came later
 * and states no money leaves doubt too, because a refund of a whole order does not repeat its amount.
 */
function byAmount(candidate: Candidate, others: readonly Candidate[], share: number): boolean {
  const { fit, amountHolders, hours } = candidate;
  const isAlone = statesAmount(fit) && amountHolders === 1;
  const ofTransaction = others.filter(isOfTransaction);
  if (!isOfTransaction(candidate)) {
    return isAlone && (!isLinked(candidate) || ofTransaction.length === 0);
  }
  return !ofTransaction.some((other) => {
    const stated = STATED_AMOUNT[other.fit];
    const mayBe = other.hours < hours || (stated === 'equal' && share < CLEAR_SHARE);
    return stated !== 'other' && mayBe && !leadsClearlyLess(other, candidate);
  });
}

/**
 * Without the amount, the transaction's identifier must be all that the event shares with those that act:
 * another that shares a customer or a place may be about the same transaction, and not say so.
 */
function byKey(candidate: Candidate, others: readonly Candidate[]): boolean {
  if (!isOfTransaction(candidate) || isLinked(candidate) || others.some(isOfTransaction))
    return false;
  return !others.some(
    (other) =>
      other.shared.matches.ids.some(({ form }) => form !== 'linked') &&
      other.shared.matches.contradictions.length === 0 &&
      !leadsClearlyLess(other, candidate),
  );
}

/** How often the two actions lead to such events, as far as the ledger or people have shown it. */
const leadsClearlyLess = (one: Candidate, than: Candidate): boolean =>
  (one.features.compatibility ?? 0) <= (than.features.compatibility ?? 0) - CLEARLY_LESS;

const isOfTransaction = ({ shared }: Candidate): boolean =>
  shared.transactionKey >= MIN_TRANSACTION_KEY;

const isLinked = ({ shared }: Candidate): boolean =>
  shared.matches.ids.some(({ form }) => form === 'linked');

const acts = ({ decision, features }: Candidate): boolean =>
  readOnly(decision.actionType) === 0 &&
  !decision.saysItFailed &&
  features.repetition === undefined;

/** The least share of a suggestion that its probability alone justifies. */
const MIN_SHARE = 0.05;

type Suggesting = Pick<
  AttributionSettings,
  'suggest_share' | 'suggest_probability' | 'suggest_from_timing'
>;

/**
 * Whether guesses are suggested for an event at all. Those of other events stay in the review queue.
 * @param recorded probability that a recorded decision caused the event
 */
export const mayGuess = (recorded: number, settings: AttributionSettings): boolean =>
  recorded >= settings.suggest_recorded;

/** Timing and the agent alone suggest nothing, unless the settings say so. */
export function isSuggested(
  { shared, fit }: Candidate,
  { share, probability }: { readonly share: number; readonly probability: number },
  settings: Suggesting,
): boolean {
  const isAmount = fit !== 'none' && fit !== 'other' && fit !== 'below';
  const hasEvidence = shared.matches.ids.length > 0 || shared.wordBits > 0 || isAmount;
  if (!hasEvidence && !settings.suggest_from_timing) return false;
  return (
    share >= settings.suggest_share ||
    (share >= MIN_SHARE && probability >= settings.suggest_probability)
  );
}

/** The label `matched` is withdrawn while audits do not show that so many of its suggestions are right. */
export const LEAST_PRECISION = 0.9;

/** Months of audits before the current one that decide about the label. */
const WINDOW_MONTHS = 6;

/** The first instant of the audits that decide about the label. @param now ms, like the result */
export function labelWindow(now: number): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - WINDOW_MONTHS, 1);
}

export interface LabelState {
  readonly isWithdrawn: boolean;
  /** ms; null if it never changed. */
  readonly changedAt: number | null;
}

/**
 * Whether the label is withdrawn from now on. It is while the lower bound of its precision is too low and
 * some suggestion was wrong: a few right answers prove little, but nothing against it. It returns when the
 * bound has recovered, and not in the month (UTC) in which it was withdrawn, so that it cannot flap.
 * @param now ms
 */
export function isLabelWithdrawn(
  { isWithdrawn, changedAt }: LabelState,
  { precision: { matched } }: Pick<Quality, 'precision'>,
  now: number,
): boolean {
  if (matched === null) return isWithdrawn;
  if (!isWithdrawn) return matched.low < LEAST_PRECISION && matched.value < 1;
  const isLater = changedAt === null || monthOf(now) > monthOf(changedAt);
  return !(isLater && matched.low >= LEAST_PRECISION);
}

const monthOf = (at: number): string => new Date(at).toISOString().slice(0, 7);

/** The label that a suggestion carries. */
export function givenLabel(
  label: 'matched' | 'guessed',
  isWithdrawn: boolean,
): 'matched' | 'guessed' {
  return isWithdrawn ? 'guessed' : label;
}
