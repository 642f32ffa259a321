import { invalidField } from '@decision-ledger/contract/errors';
import type { Reviewer } from '@decision-ledger/contract/link';

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
