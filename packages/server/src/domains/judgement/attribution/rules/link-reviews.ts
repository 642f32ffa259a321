import type { RecordedChange } from '@decision-ledger/proof/replay/state';

/** The types of the records that a review follows from. */
export const REVIEW_TYPES = ['link.created', 'link.confirmed', 'link.rejected', 'link.deleted'];

/** A review that the records of a link state. */
export interface ExpectedReview {
  readonly verdict: 'confirmed' | 'rejected' | 'withdrawn';
  /** RFC 3339. */
  readonly at: string;
}

/**
 * The reviews of a link that follow from its records, oldest first: who makes a link says that it is
 * right, and who deletes one takes back what was said of it.
 */
export function expectedReviews(changes: readonly RecordedChange[]): ExpectedReview[] {
  const reviews: ExpectedReview[] = [];
  for (const { type, at } of changes) {
    const last = reviews.at(-1)?.verdict;
    const isStanding = last !== undefined && last !== 'withdrawn';
    if (type === 'link.deleted' && !isStanding) continue;
    const verdict =
      type === 'link.deleted' ? 'withdrawn' : type === 'link.rejected' ? 'rejected' : 'confirmed';
    reviews.push({ verdict, at });
  }
  return reviews;
}
