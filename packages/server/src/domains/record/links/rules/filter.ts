import type { LinkStatus } from './transition.js';

export interface LinkFilter {
  /** UUID. */
  readonly decisionId: string | undefined;
  /** UUID. */
  readonly eventId: string | undefined;
  readonly status: LinkStatus | undefined;
  readonly minStrength: number | undefined;
  readonly includeDeleted: boolean;
}

/** Suggestions wait for a review: they come in the order in which one teaches most. */
export function isReviewQueue({ status, includeDeleted }: LinkFilter): boolean {
  return status === 'ML_SUGGESTED' && !includeDeleted;
}
