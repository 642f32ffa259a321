import type { AttributionSettings } from '@decision-ledger/contract/attribution';
import { leavesAct } from './actions.js';
import { STATED_AMOUNT, statesAmount } from './amount-fit.js';
import type { Quality } from './audits.js';
import type { Candidate } from './candidates.js';
import { type Case, casesOf } from './cases.js';

const MATCHED_SHARE = 0.5;
/** More suspicion that the cause is unrecorded makes no match. */
const MAX_UNRECORDED = 0.2;
/** A delay that speaks so clearly against a cause makes no match if few known causes are as late; in log. */
const AGAINST = -3;

/** A candidate with its share of the event, 0 to 1. */
interface Weighed {
  readonly candidate: Candidate;
  readonly share: number;
}

/**
 * The candidates labelled `matched`: the steps of the case to which the money of the event belongs, whichever of them
 * moved it. A case earns the label if most of the event is its share, no other case is named, a step acted, and one
 * states the amount. Where none states money, the identifier must be all that the event shares with those that act.
 * @param unrecorded probability that the cause is unrecorded
 */
export function matchedSteps(all: readonly Weighed[], unrecorded: number): Case {
  const candidates = all.map(({ candidate }) => candidate);
  const steps = caseOf(candidates);
  const share = all.reduce((sum, one) => sum + (steps.has(one.candidate) ? one.share : 0), 0);
  if (unrecorded > MAX_UNRECORDED || share < MATCHED_SHARE) return NONE;
  const own = [...steps];
  const acting = own.filter((step) => acts(step) && !isTooLate(step));
  const rivals = candidates.filter((one) => !steps.has(one) && mayConcern(one));
  const isStated = statesTogether(own, acting) && !rivals.some(fits);
  const isAlone = acting.length === 1 && acting.every(namesCase) && rivals.length === 0;
  return isStated || (isAlone && own.every(({ fit }) => fit === 'none')) ? steps : NONE;
}

const NONE: Case = new Set();

/** A step that acted states the amount, or none where another step does: another amount is another act. */
const statesTogether = (own: readonly Candidate[], acting: readonly Candidate[]): boolean =>
  acting.some(fits) || (own.some(fits) && acting.some(({ fit }) => fit === 'none'));

/**
 * Of an event that names several transactions, the steps of all of them, such as a batch. Where none is named, an
 * amount that one decision alone states names it.
 */
function caseOf(candidates: readonly Candidate[]): Case {
  const [first, ...others] = casesOf(candidates);
  if (first === undefined) return new Set(candidates.filter(isSoleStatement));
  return new Set([...first].filter((step) => others.every((other) => other.has(step))));
}

const isSoleStatement = (candidate: Candidate): boolean =>
  statesAmount(candidate.fit) && candidate.amountHolders === 1 && sharesIdentifier(candidate);

/** Equal, a part by a known relation, or a sum. */
const fits = ({ fit }: Candidate): boolean => STATED_AMOUNT[fit] === 'equal';

/** Whether it did more than read, ask or repeat, and did not fail. */
const acts = ({ decision, features }: Candidate): boolean =>
  !leavesAct(decision.actionType) && !decision.saysItFailed && features.repetition === undefined;

const isTooLate = ({ isLate, features }: Candidate): boolean =>
  isLate && (features.time ?? 0) <= AGAINST;

/** It may be about the same transaction, and not say so. */
const mayConcern = (candidate: Candidate): boolean =>
  acts(candidate) &&
  sharesIdentifier(candidate) &&
  candidate.shared.matches.contradictions.length === 0;

const sharesIdentifier = ({ shared }: Candidate): boolean =>
  shared.matches.ids.some(({ form }) => form !== 'linked');

const namesCase = ({ shared }: Candidate): boolean => shared.transactions.length > 0;

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
