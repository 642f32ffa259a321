import type { AttributionSettings } from '@decision-ledger/contract/attribution';
import type { Candidate } from './candidate-features.js';

const MATCHED_SHARE = 0.5;
/** Five decisions or fewer hold the transaction's identifier. */
const MIN_TRANSACTION_KEY = 0.6;

/**
 * `matched` only with a transaction's identifier that few decisions hold, or an equal amount that this
 * candidate alone holds: a customer or a list price does not make a match.
 * @param share of the event, 0 to 1
 */
export function labelOf(
  { shared, fit, amountHolders }: Candidate,
  share: number,
): 'matched' | 'guessed' {
  if (share < MATCHED_SHARE) return 'guessed';
  const isOnlyAmount = (fit === 'equal' || fit === 'minor') && amountHolders === 1;
  return shared.transactionKey >= MIN_TRANSACTION_KEY || isOnlyAmount ? 'matched' : 'guessed';
}

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
