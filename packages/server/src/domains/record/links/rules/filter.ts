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

/** Whether a filter selects the review queue, which is sorted by how much a review would teach. */
export function isReviewQueue({ status, includeDeleted }: LinkFilter): boolean {
  return status === 'ML_SUGGESTED' && !includeDeleted;
}
