import { invalidField, LedgerError } from '@decision-ledger/contract/errors';
import type { Link, Reviewer } from '@decision-ledger/contract/link';

type LinkStatus = Link['status'];

export type Review = 'confirm' | 'reject';

/**
 * The status of a link after a review (specification 3.1).
 * @throws LedgerError `invalid_state` unless the link is a suggestion or inherited, and not deleted
 */
export function reviewedStatus(status: LinkStatus, isDeleted: boolean, review: Review): LinkStatus {
  if ((status !== 'ML_SUGGESTED' && status !== 'INHERITED') || isDeleted) {
    const state = isDeleted ? `${status} and deleted` : status;
    throw new LedgerError(
      'invalid_state',
      `only a link with status ML_SUGGESTED or INHERITED can be reviewed; this one is ${state}`,
    );
  }
  return review === 'confirm' ? 'ML_INFERRED' : 'REJECTED';
}

export interface LinkFilter {
  /** UUID. */
  readonly decisionId: string | undefined;
  /** UUID. */
  readonly eventId: string | undefined;
  readonly status: LinkStatus | undefined;
  readonly minStrength: number | undefined;
  readonly includeDeleted: boolean;
}

/** Whether a filter selects the review queue, which is sorted by how much a review would teach. */
export function isReviewQueue({ status, includeDeleted }: LinkFilter): boolean {
  return status === 'ML_SUGGESTED' && !includeDeleted;
}

/**
 * The person who reviews: the one of the session, or else the one that the body states; null if nobody is
 * named.
 * @throws LedgerError `validation_error` if both name one
 */
export function reviewerOf(
  session: { readonly name: string } | undefined,
  declared: string | undefined,
): Reviewer | null {
  if (session !== undefined) {
    if (declared !== undefined) {
      throw invalidField('reviewer', 'the session names the reviewer: leave it out');
    }
    return { name: session.name, source: 'session' };
  }
  return declared === undefined ? null : { name: declared, source: 'self_declared' };
}

/** The member of a record of activity that names the reviewer; none if nobody is named. */
export function reviewerData(reviewer: Reviewer | null): { readonly reviewer?: Reviewer } {
  return reviewer === null ? {} : { reviewer };
}
