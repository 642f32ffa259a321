// Generated from the contract by scripts/client-types.js.

export interface ConnectionState {
  readonly id: string;
  readonly kind: 'hledger' | 'quickbooks';
  /** Null before the first poll. */
  readonly polled_at: string | null;
  /** Why the last poll failed, or what it could not import; null if it succeeded. */
  readonly problem: string | null;
  /** Whether a poll is queued, running, or waiting for a retry. */
  readonly is_poll_pending: boolean;
}

export interface ConnectionStates {
  readonly connections: readonly ConnectionState[];
}
