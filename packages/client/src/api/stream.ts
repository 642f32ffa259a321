// Generated from the contract by scripts/client-types.js.

import type { Timestamp } from './shared.js';

export interface StreamTicket {
  /** Valid for one connection, as the query parameter `ticket`. */
  readonly ticket: string;
  readonly expires_at: Timestamp;
}
