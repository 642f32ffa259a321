import type { Score } from './score.js';

const MATCHED_SHARE = 0.5;

/** How certain a suggestion is: strong if it takes half of the event and an identifier or the amount agrees. */
export function labelOf({ share, evidence }: Score): 'matched' | 'guessed' {
  const agrees = evidence.identifiers > 0 || evidence.stated_amount > 0;
  return agrees && share >= MATCHED_SHARE ? 'matched' : 'guessed';
}
