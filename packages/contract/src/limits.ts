/** Fixed limits of the API. Bytes are counted on the wire or on canonical JSON, as named. */
export const LIMITS = {
  bodyBytes: 1024 * 1024,
  batchBodyBytes: 8 * 1024 * 1024,
  /** JSON values in a body: numbers, strings, objects, arrays and so on, each counted. */
  bodyValues: 1_000_000,
  /** Members of all objects in a body. A name costs many times what a value does. */
  bodyMembers: 100_000,
  /** Fields that an error names; what is wrong beyond them is told once these are mended. */
  errorFields: 20,
  /** Each of inputs, outputs, alternatives and metadata, as canonical JSON. */
  payloadFieldBytes: 256 * 1024,
  batchDecisions: 100,
  pageDefault: 50,
  pageMax: 500,
  /** How far ahead of the service's clock a decision may be dated. */
  futureMs: 5 * 60 * 1000,
  idempotencyKeyChars: 200,
  /** What a caller may send on a connection to the stream. */
  streamPingsPerMinute: 60,
} as const;
