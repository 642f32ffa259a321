import {
  CONFIDENCE_ATTRIBUTE,
  OTLP_RULE_DEFAULTS,
  type OtlpPreset,
  type OtlpRule,
} from '@decision-ledger/contract/otlp-settings';

/** What the agent says; else what an evaluation or a tool's argument says; else a number that is marked as fixed. */
const CONFIDENCE = [
  CONFIDENCE_ATTRIBUTE,
  'evaluation:confidence',
  'argument:confidence',
  'fixed:0.5',
];

/** A result that is no object has the name that the conventions give it, whoever wrote the span. */
const [ARGUMENTS, RESULT] = ['gen_ai.tool.call.arguments', 'gen_ai.tool.call.result'];
const inputs = (...others: readonly string[]) => [[ARGUMENTS, ...others].join(' | ')];
const outputs = (...others: readonly string[]) => [[RESULT, ...others].join(' | ')];
const { agent_id, action_type } = OTLP_RULE_DEFAULTS;

const toolRule = (rule: Partial<OtlpRule>): OtlpRule => ({
  ...OTLP_RULE_DEFAULTS,
  confidence: CONFIDENCE,
  inputs: inputs(),
  outputs: outputs(),
  ...rule,
});

/** Tool calls; earlier conventions have their content in events. */
const GEN_AI = [
  toolRule({
    operation: 'execute_tool',
    inputs: inputs('event:gen_ai.tool.message:content'),
    outputs: outputs('event:gen_ai.choice:message'),
  }),
];

/** That of LangChain has the whole message of a tool as the output. */
const OPENINFERENCE = [
  toolRule({
    attribute: 'openinference.span.kind',
    value: 'TOOL',
    agent_id: ['agent.name', 'metadata#/lc_agent_name', ...agent_id],
    action_type: ['tool.name', ...action_type],
    inputs: inputs('input.value'),
    outputs: outputs('output.value#/data/content', 'output.value'),
    metadata: { tool_call_id: 'output.value#/data/tool_call_id', conversation_id: 'session.id' },
  }),
];

/** That of LangChain wraps arguments and results in what its callbacks are given. */
const OPENLLMETRY = [
  toolRule({
    scope: 'opentelemetry.instrumentation.langchain',
    attribute: 'traceloop.span.kind',
    value: 'tool',
    agent_id: [
      'gen_ai.agent.name',
      'traceloop.association.properties.lc_agent_name',
      ...agent_id,
      'traceloop.workflow.name',
    ],
    inputs: [`${ARGUMENTS}#/inputs | ${ARGUMENTS}#/input_str | ${ARGUMENTS}`],
    outputs: [`${RESULT}#/output/kwargs/content | ${RESULT}#/output | ${RESULT}`],
    metadata: { tool_call_id: `${ARGUMENTS}#/kwargs/tool_call_id` },
  }),
  toolRule({
    attribute: 'traceloop.span.kind',
    value: 'tool',
    agent_id: [...agent_id, 'traceloop.workflow.name'],
    action_type: ['gen_ai.tool.name', 'traceloop.entity.name', ...action_type],
    inputs: inputs('traceloop.entity.input'),
    outputs: outputs('traceloop.entity.output'),
  }),
];

/** Since version 7 its spans are those of the conventions. */
const AI_SDK = [
  toolRule({ scope: 'gen_ai', operation: 'execute_tool' }),
  toolRule({
    attribute: 'ai.operationId',
    value: 'ai.toolCall',
    agent_id: ['ai.telemetry.functionId', ...agent_id],
    action_type: ['ai.toolCall.name', ...action_type],
    inputs: inputs('ai.toolCall.args'),
    outputs: outputs('ai.toolCall.result'),
    metadata: { tool_call_id: 'ai.toolCall.id' },
  }),
];

const LANGFUSE = [
  toolRule({
    attribute: 'langfuse.observation.type',
    value: 'tool',
    agent_id: [...agent_id, 'langfuse.trace.name'],
    inputs: inputs('langfuse.observation.input'),
    outputs: outputs('langfuse.observation.output'),
    confidence: [...CONFIDENCE.slice(0, -1), 'argument:kwargs.confidence', 'fixed:0.5'],
    metadata: { conversation_id: 'session.id' },
  }),
];

/** Versions 1 and 2 of pydantic-ai's spans have other names. */
const PYDANTIC_AI = {
  agent_id: ['gen_ai.agent.name', 'agent_name', ...agent_id],
  inputs: inputs('tool_arguments'),
  outputs: outputs('tool_response'),
};
const LOGFIRE = [
  toolRule({ ...PYDANTIC_AI, scope: 'pydantic-ai', operation: 'execute_tool' }),
  toolRule({
    ...PYDANTIC_AI,
    scope: 'pydantic-ai',
    span_name: 'running tool',
    attribute: 'gen_ai.tool.name',
  }),
  toolRule({ ...PYDANTIC_AI, scope: 'logfire*', operation: 'execute_tool' }),
];

/** Versions before 1 name the operation otherwise. */
const MASTRA = [
  toolRule({ scope: '@mastra/*', operation: 'execute_tool' }),
  toolRule({
    scope: '@mastra/*',
    operation: 'tool.execute',
    inputs: inputs('gen_ai.tool.input'),
    outputs: outputs('gen_ai.tool.output'),
  }),
];

/**
 * The rules of each preset. A change of what a preset records of a span is a new version of it. Sources: the packages
 * that `instrumentations.long` installs.
 */
const RULES: Readonly<Record<Exclude<OtlpPreset, 'detect_1'>, readonly OtlpRule[]>> = {
  'gen_ai_1.45': GEN_AI,
  openinference_1: OPENINFERENCE,
  openllmetry_1: OPENLLMETRY,
  ai_sdk_1: AI_SDK,
  langfuse_1: LANGFUSE,
  logfire_1: LOGFIRE,
  mastra_1: MASTRA,
};

/** Where a span fits several, the first counts: the conventions, which many instrumentations follow, are last. */
const DETECTED = [
  'openinference_1',
  'openllmetry_1',
  'langfuse_1',
  'logfire_1',
  'mastra_1',
  'ai_sdk_1',
  'gen_ai_1.45',
] as const;

/** A rule, with the preset that it is of. All of them are for the calls of tools. */
export type PresetRule = readonly [preset: OtlpPreset, rule: OtlpRule];

/** The rules of a preset in their order. */
export function rulesOfPreset(preset: OtlpPreset): PresetRule[] {
  const names = preset === 'detect_1' ? DETECTED : [preset];
  return names.flatMap((name) => RULES[name].map((rule): PresetRule => [name, rule]));
}
