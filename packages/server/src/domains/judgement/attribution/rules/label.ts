import type { AttributionSettings } from '@decision-ledger/contract/attribution';
import { STATED_AMOUNT } from './amount-fit.js';
import type { Candidate } from './candidate-features.js';
import { readOnly } from './read-only.js';

const MATCHED_SHARE = 0.5;
/** Five decisions or fewer hold the transaction's identifier. */
const MIN_TRANSACTION_KEY = 0.6;

/** More suspicion that the cause is unrecorded makes no match. */
const MAX_UNRECORDED = 0.2;
/** An action whose name only reads makes a match where it leads to such events so much more often, in log. */
const MIN_COMPATIBILITY = 1;

/**
 * `matched` only with a transaction's identifier that few decisions hold, or an equal amount that this
 * candidate alone holds: a customer or a list price does not make a match. Nor does an identifier that
 * several acting decisions hold, where the amount does not say which.
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
  const { fit, amountHolders, features } = candidate;
  if (!mayAct(candidate) && (features.compatibility ?? 0) < MIN_COMPATIBILITY) return 'guessed';
  const isEqual = fit === 'equal' || fit === 'minor';
  if (isEqual && amountHolders === 1) return 'matched';
  if (!isOfTransaction(candidate)) return 'guessed';
  const hasRival = all.some((one) => one !== candidate && isOfTransaction(one) && acts(one));
  return STATED_AMOUNT[fit] === 'equal' || !hasRival ? 'matched' : 'guessed';
}

const isOfTransaction = ({ shared }: Candidate): boolean =>
  shared.transactionKey >= MIN_TRANSACTION_KEY;

/** Also an action that prompts: `send_replacement` acts, `send_reminder` does not. */
const mayAct = ({ decision }: Candidate): boolean =>
  readOnly(decision.actionType) < 1 && !decision.saysItFailed;

const acts = ({ decision }: Candidate): boolean =>
  readOnly(decision.actionType) === 0 && !decision.saysItFailed;

/** The least share of a suggestion that its probability alone justifies. */
const MIN_SHARE = 0.05;

type Suggesting = Pick<
  AttributionSettings,
  'suggest_share' | 'suggest_probability' | 'suggest_from_timing'
>;

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
