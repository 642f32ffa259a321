import { type Static, Type } from 'typebox';
import type { ErrorCode } from './errors.js';

const Groups = Type.Array(Type.Object({}, { additionalProperties: true }));

/** The body of POST /v1/traces as OTLP/JSON: ids are hexadecimal, 64-bit integers are texts. */
export const OtlpTraceRequest = Type.Object(
  { resourceSpans: Type.Optional(Groups) },
  {
    additionalProperties: true,
    description: 'ExportTraceServiceRequest of opentelemetry-proto 1.x.',
  },
);
export type OtlpTraceRequest = Static<typeof OtlpTraceRequest>;

/** The answer to POST /v1/traces. Empty if every span was accepted. */
export const OtlpTraceAnswer = Type.Object({
  partialSuccess: Type.Optional(
    Type.Object({
      rejectedSpans: Type.String({
        pattern: '^[0-9]+$',
        description: 'How many spans were refused. Spans that are no decisions are accepted.',
      }),
      errorMessage: Type.String({ description: 'Why, and what to change.' }),
    }),
  ),
});
export type OtlpTraceAnswer = Static<typeof OtlpTraceAnswer>;

/** The body of POST /v1/metrics and /v1/logs as OTLP/JSON. */
export const OtlpDroppedRequest = Type.Object(
  {},
  {
    additionalProperties: true,
    description: 'An export request of opentelemetry-proto 1.x whose content is not read.',
  },
);

/** The answer to POST /v1/metrics and /v1/logs. */
export const OtlpDroppedAnswer = Type.Object({}, { description: 'All of it was accepted.' });

/** A failure in OTLP: google.rpc.Status. */
export const OtlpStatus = Type.Object({
  code: Type.Integer({ description: 'A status code of gRPC.' }),
  message: Type.String(),
});
export type OtlpStatus = Static<typeof OtlpStatus>;

/** The status code of gRPC for each error of the API. */
export const STATUS_CODES: Readonly<Record<ErrorCode, number>> = {
  malformed_request: 3,
  unauthorized: 16,
  forbidden: 7,
  not_found: 5,
  method_not_allowed: 12,
  request_timeout: 4,
  conflict: 10,
  idempotency_conflict: 6,
  invalid_state: 9,
  precondition_failed: 9,
  export_not_ready: 9,
  gone: 5,
  payload_too_large: 8,
  unsupported_media_type: 3,
  expectation_failed: 3,
  validation_error: 3,
  too_late: 9,
  rate_limited: 8,
  internal_error: 13,
  unavailable: 14,
};
