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
