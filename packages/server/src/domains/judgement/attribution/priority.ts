import type { Scored } from '@decision-ledger/attribution/score';

/** Even where the model is sure, it may be wrong. */
const LEAST_DOUBT = 0.02;

/**
 * How much a review of an event would teach: the chance that it changes what is counted, times the
 * money. Only matched suggestions are counted before a review; of any other event, all that may have
 * a recorded cause would change.
 * @param left share of the event that human links left
 * @param worth in the base currency; in its own if there is no rate
 */
export function eventPriority(
  candidates: readonly Pick<Scored, 'share' | 'label' | 'isSuggested'>[],
  none: number,
  left: number,
  worth: number,
): number {
  if (left <= 0) return 0;
  const counted = candidates
    .filter(({ label, isSuggested }) => isSuggested && label === 'matched')
    .reduce((sum, { share }) => sum + share, 0);
  const change = counted > 0 ? left - counted : left - none;
  return Math.max(LEAST_DOUBT * left, change) * worth;
}

/**
 * The same for one suggested link.
 * @param strength its share of the event
 */
export function linkPriority(strength: number, worth: number): number {
  return 4 * strength * (1 - strength) * (1 + Math.log10(1 + worth));
}
