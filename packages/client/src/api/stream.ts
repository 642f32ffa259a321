// Generated from the contract by scripts/client-types.js.

export interface StreamTicket {
  /** Valid for one connection, as the query parameter `ticket`. */
  readonly ticket: string;
  /** RFC 3339 date-time. Answers are UTC with milliseconds. */
  readonly expires_at: string;
}
