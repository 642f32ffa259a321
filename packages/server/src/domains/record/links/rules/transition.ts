import { LedgerError } from '@decision-ledger/contract/errors';
import type { Link } from '@decision-ledger/contract/link';

export type LinkStatus = Link['status'];

export type Review = 'confirm' | 'reject';

/**
 * The status of a link after a review (specification 3.1).
 * @throws LedgerError `invalid_state` unless the link is a suggestion and not deleted
 */
export function reviewedStatus(status: LinkStatus, isDeleted: boolean, review: Review): LinkStatus {
  if (status !== 'ML_SUGGESTED' || isDeleted) {
    const state = isDeleted ? `${status} and deleted` : status;
    throw new LedgerError(
      'invalid_state',
      `only a link with status ML_SUGGESTED can be reviewed; this one is ${state}`,
    );
  }
  return review === 'confirm' ? 'ML_INFERRED' : 'REJECTED';
}
