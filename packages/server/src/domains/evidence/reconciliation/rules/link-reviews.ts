import type { RecordedChange } from '@decision-ledger/proof/replay/state';

/** The types of the records that a review follows from. */
export const REVIEW_TYPES = ['link.created', 'link.confirmed', 'link.rejected', 'link.deleted'];

/** A review that the records of a link state. */
export interface ExpectedReview {
  readonly verdict: 'confirmed' | 'rejected' | 'withdrawn';
  /** ms. */
  readonly at: number;
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
    reviews.push({ verdict, at: Date.parse(at) });
  }
  return reviews;
}

/** A withdrawal is dated when it begins, before its record is written. */
const LEAD_MS = 60_000;

export function isTimeOf({ verdict, at }: ExpectedReview, created: number): boolean {
  return verdict === 'withdrawn' ? created <= at && at - created < LEAD_MS : created === at;
}
