import { type Static, type TSchema, Type } from 'typebox';
import type { ErrorCode } from './errors.js';
import { LIMITS } from './limits.js';
import { Timestamp } from './shared.js';

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

/** Why spans are no decisions. Metrics, logs and what came before a mapping was set are not read: requests are counted. */
export const OTLP_IGNORED = ['no_rule', 'no_content', 'no_mapping', 'not_recorded'] as const;

/** Why a span was refused: it cannot be read, or states no valid value for this field, or the ledger did not accept it. */
export const OTLP_REFUSED = [
  'unreadable',
  'ids',
  'agent_id',
  'action_type',
  'payload',
  'confidence',
  'human_in_loop',
  'timestamp',
  'recorded_before',
  'too_late',
  'not_accepted',
] as const;

/** What an attribute holds. `json` is a text that begins as an object or a list does. */
export const OTLP_VALUE_TYPES = [
  'text',
  'json',
  'number',
  'boolean',
  'list',
  'object',
  'null',
] as const;

const nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

export const SpanAttribute = Type.Object({
  name: Type.String({
    description:
      'A place as rules name it: an attribute, or one with `resource:` or `event:` and the name of the event before it. ' +
      'Its beginning, if it is long.',
  }),
  type: Type.Enum([...OTLP_VALUE_TYPES], {
    description: 'What it held. `json`: a text that begins as an object or a list in JSON does.',
  }),
});
export type SpanAttribute = Static<typeof SpanAttribute>;

/** What arrived in the last day from one scope and became the same. */
export const SpanGroup = Type.Object({
  signal: Type.Enum(['traces', 'metrics', 'logs']),
  scope: nullable(
    Type.String({
      description: 'The name of the instrumentation scope; empty if the spans have none.',
    }),
  ),
  scope_version: nullable(Type.String()),
  taken_by: nullable(
    Type.String({
      description:
        'The preset whose rule applies, or `rules[N]` for a rule of the settings, as it was numbered then.',
    }),
  ),
  result: Type.Enum(['recorded', 'ignored', 'refused']),
  reason: nullable(
    Type.Enum([...OTLP_IGNORED, ...OTLP_REFUSED], {
      description:
        'Null for what was recorded. Of what was refused: the field for which a span had no valid value, or why ' +
        'the ledger did not accept it.',
    }),
  ),
  count: Type.Integer({
    minimum: 1,
    description:
      'Spans since `since`; requests for `no_mapping` and `not_recorded`, which are not read.',
  }),
  first_at: Timestamp,
  last_at: Timestamp,
  attributes: Type.Array(SpanAttribute, {
    maxItems: LIMITS.spanGroupAttributes,
    description: 'Names and types, the first in their order. Values are not kept.',
  }),
});
export type SpanGroup = Static<typeof SpanGroup>;

/** The answer to GET /otlp/spans. */
export const SpanGroups = Type.Object({
  since: Timestamp,
  groups: Type.Array(SpanGroup, {
    description:
      `The last to arrive first. At most ${LIMITS.spanGroups} have a scope: what comes beyond them is counted by ` +
      'result and reason, with the scope null.',
  }),
});
export type SpanGroups = Static<typeof SpanGroups>;
