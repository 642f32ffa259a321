/** Fixed limits of the API. Bytes are those of the request, unless stated otherwise. */
export const LIMITS = {
  bodyBytes: 1024 * 1024,
  batchBodyBytes: 8 * 1024 * 1024,
  /** All JSON values in a body, nested ones included. */
  bodyValues: 1_000_000,
  /** Members of all objects in a body. A member costs many times as much memory as a value. */
  bodyMembers: 100_000,
  /** Fields that one error names. Others are reported after these are corrected. */
  errorFields: 20,
  /** Each of inputs, outputs, alternatives and metadata, as canonical JSON. */
  payloadFieldBytes: 256 * 1024,
  batchDecisions: 100,
  /** What an upload may hold, and all uploads of a ledger that no decision has taken yet. */
  uploadBytes: 64 * 1024 * 1024,
  openUploadBytes: 256 * 1024 * 1024,
  openUploads: 1000,
  /** Every chunk of an upload but the last has exactly so many bytes. */
  uploadChunkBytes: 1024 * 1024,
  /** How much of an upload the decision itself shows, as it begins. */
  uploadHeadBytes: 8 * 1024,
  /** How long an upload waits for its decision. */
  uploadHours: 24,
  /** The body of POST /v1/traces: as received, and unpacked. */
  otlpBodyBytes: 8 * 1024 * 1024,
  otlpSpans: 10_000,
  /** Attributes, elements and events of all spans of a request. */
  otlpValues: 200_000,
  /** Attributes, elements and events of one span. */
  otlpSpanValues: 20_000,
  /** Nesting of the value of an attribute: more than a decision keeps. */
  otlpDepth: 66,
  /** What GET /otlp/spans tells apart in a ledger. */
  spanGroups: 200,
  spanGroupAttributes: 50,
  pageDefault: 50,
  pageMax: 500,
  /** How far in the future, by the service's clock, a decision may be dated. */
  futureMs: 5 * 60 * 1000,
  idempotencyKeyChars: 200,
  /** Pings that a caller may send on a stream connection. */
  streamPingsPerMinute: 60,
} as const;
