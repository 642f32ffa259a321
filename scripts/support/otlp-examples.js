// Examples of what OpenTelemetry sends, and of what is shown of it.
const SPAN_GROUP = {
  signal: 'traces',
  scope: 'shop.agents',
  scope_version: '2.1.0',
  taken_by: null,
  result: 'ignored',
  reason: 'no_rule',
  count: 1204,
  first_at: '2026-04-15T10:03:12.481Z',
  last_at: '2026-04-16T09:30:00.125Z',
  attributes: [
    { name: 'shop.tool.arguments', type: 'json' },
    { name: 'shop.tool.name', type: 'text' },
  ],
};

/** By the name of the schema. */
export const OTLP_EXAMPLES = {
  OtlpDroppedAnswer: {},
  OtlpDroppedRequest: { resourceMetrics: [] },
  OtlpStatus: { code: 3, message: 'resourceSpans must be an array' },
  OtlpTraceAnswer: {
    partialSuccess: {
      rejectedSpans: '1',
      errorMessage:
        'span 00f067aa0ba902b7 (execute_tool refund): it states no confidence: add span.setAttribute(\'decision_ledger.confidence\', 0.9) with what the agent knows, or the setting "confidence": ["fixed:0.8"] to its rule',
    },
  },
  OtlpTraceRequest: {
    resourceSpans: [
      {
        resource: {
          attributes: [{ key: 'service.name', value: { stringValue: 'refund-service' } }],
        },
        scopeSpans: [
          {
            spans: [
              {
                traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
                spanId: '00f067aa0ba902b7',
                name: 'execute_tool refund',
                kind: 1,
                startTimeUnixNano: '1776331800000000000',
                endTimeUnixNano: '1776331800250000000',
                attributes: [
                  { key: 'gen_ai.operation.name', value: { stringValue: 'execute_tool' } },
                  { key: 'gen_ai.tool.name', value: { stringValue: 'refund' } },
                  {
                    key: 'gen_ai.tool.call.arguments',
                    value: { stringValue: '{"order_id":"A-1001","amount":"59.00"}' },
                  },
                  { key: 'decision_ledger.confidence', value: { doubleValue: 0.93 } },
                ],
              },
            ],
          },
        ],
      },
    ],
  },
  SpanAttribute: SPAN_GROUP.attributes[0],
  SpanGroup: SPAN_GROUP,
  SpanGroups: { since: '2026-04-15T10:00:00.000Z', groups: [SPAN_GROUP] },
};
