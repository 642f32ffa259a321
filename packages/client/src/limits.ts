/** Limits of the API and of this client. Bytes are UTF-8. */
export const LIMITS = {
  /** Decisions in a batch. */
  batchDecisions: 100,
  /** The service accepts 8 MiB; the rest is for the body around the decisions. */
  batchBytes: 7 * 1024 * 1024,
  /** Of a field of a decision. Larger inputs and outputs are uploaded. */
  fieldBytes: 256 * 1024,
  /** Of a member of metadata that is too large as a whole. Larger ones are left out. */
  metadataMemberBytes: 8 * 1024,
  /** The longest time that a decision waits for others, in ms. */
  lingerMs: 1_000,
  requestMs: 30_000,
  flushMs: 30_000,
  closeMs: 10_000,
  /** Decisions and bytes that wait in memory. Beyond them: the outbox, or else loss. */
  queueDecisions: 10_000,
  queueBytes: 32 * 1024 * 1024,
  firstRetryMs: 250,
  maxRetryMs: 30_000,
  /** The longest `Retry-After` that is obeyed. */
  maxRetryAfterMs: 300_000,
  /** Attempts of a call that waits for its answer. */
  callAttempts: 4,
} as const;
