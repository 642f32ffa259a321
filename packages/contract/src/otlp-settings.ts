import { type Static, Type } from 'typebox';
import { CLOSED } from './setting-fields.js';

const MAX_NAME = 200;

/** The attribute from which a confidence is read unless a rule names another one. */
export const CONFIDENCE_ATTRIBUTE = 'decision_ledger.confidence';

/** What a rule of the mapping reads if it does not say otherwise: GenAI semantic conventions 1.45. */
export const OTLP_RULE_DEFAULTS = {
  without_content: false,
  agent_id: ['gen_ai.agent.name', 'gen_ai.agent.id', 'resource:service.name'],
  action_type: ['gen_ai.tool.name', 'span:name'],
  inputs: ['gen_ai.tool.call.arguments'],
  outputs: ['gen_ai.tool.call.result'],
  confidence: [CONFIDENCE_ATTRIBUTE],
  human_in_loop: ['decision_ledger.human_in_loop'],
  metadata: {},
};

/** Rules for the spans of one instrumentation each, by version; `detect_1` has all of them. */
export const OTLP_PRESETS = [
  'gen_ai_1.45',
  'openinference_1',
  'openllmetry_1',
  'ai_sdk_1',
  'langfuse_1',
  'logfire_1',
  'mastra_1',
  'detect_1',
] as const;
export type OtlpPreset = (typeof OTLP_PRESETS)[number];

export const DEFAULT_OTLP = { version: 1, preset: 'none', rules: [], mask: [] };

const Attribute = (description: string) =>
  Type.String({ minLength: 1, maxLength: MAX_NAME, description });

/** Places that are read in order, until one has a value. */
const sources = (
  name: Exclude<keyof typeof OTLP_RULE_DEFAULTS, 'without_content'>,
  description: string,
  pattern?: string,
) =>
  Type.Array(
    Type.String({
      minLength: 1,
      maxLength: MAX_NAME,
      ...(pattern !== undefined && {
        pattern,
        'x-problem':
          'must be an attribute, `argument:PATH`, `evaluation:NAME`, or `fixed:` and a number from 0 to 1',
      }),
    }),
    { minItems: 1, maxItems: 20, default: OTLP_RULE_DEFAULTS[name], description },
  );

const PLACE =
  'an attribute of the span, `resource:` and an attribute of its resource, `event:`, the name of an event, ' +
  '`:` and an attribute of the last such event, `scope:name` or `span:name`. After it, `#` and a JSON pointer ' +
  'such as `#/order/id` lead into an object or a JSON text';
const TEXT = `In this order, the first that is present: ${PLACE}; or \`fixed:\` and a text.`;
const PAYLOAD =
  `Places of values: ${PLACE}. Of several that are joined by \` | \`, the first that is present is read. An ` +
  'object, or a JSON text of one, is taken as it is if one entry is listed; anything else stands under the ' +
  'name of the first attribute of its entry.';

/** One kind of span that is a decision, and where the decision is read from. */
export const OtlpRule = Type.Object(
  {
    operation: Type.Optional(Attribute('The value of `gen_ai.operation.name`.')),
    span_name: Type.Optional(Attribute('The name of the span. A `*` at its end matches any rest.')),
    scope: Type.Optional(
      Attribute('The name of the instrumentation scope. A `*` at its end matches any rest.'),
    ),
    attribute: Type.Optional(Attribute('A place where the span must have a value.')),
    value: Type.Optional(Attribute('The value of `attribute`, as text. Default: any.')),
    without_content: Type.Boolean({
      default: OTLP_RULE_DEFAULTS.without_content,
      description:
        'Whether a span is a decision that has neither inputs nor outputs nor an error, as instrumentations ' +
        'send them that do not capture content.',
    }),
    agent_id: sources('agent_id', TEXT),
    action_type: sources('action_type', TEXT),
    inputs: sources('inputs', PAYLOAD),
    outputs: sources('outputs', PAYLOAD),
    confidence: sources(
      'confidence',
      'In this order, the first that is present: a place as for `agent_id`, `argument:` and the path of a number ' +
        'in the inputs, `evaluation:` and the name of an evaluation whose score is in an event of the span or ' +
        'on it, or `fixed:` and a number from 0 to 1. A span without any is refused.',
      String.raw`^(?!evaluation:$)(?!argument:$)(?!fixed:)|^fixed:(?:0(?:\.[0-9]{1,6})?|1(?:\.0{1,6})?)$`,
    ),
    human_in_loop: sources(
      'human_in_loop',
      'Attributes of the span. The first that is present says whether a person took part.',
    ),
    metadata: Type.Record(
      Type.String({ pattern: '^[A-Za-z0-9_.-]{1,100}$' }),
      Attribute('A place as for `agent_id`.'),
      {
        additionalProperties: false,
        maxProperties: 50,
        default: OTLP_RULE_DEFAULTS.metadata,
        'x-names': 'must have a name of 1 to 100 letters, digits, points, hyphens and underscores',
        description: 'Members of the metadata, with where each is read from.',
      },
    ),
  },
  CLOSED,
);
export type OtlpRule = Static<typeof OtlpRule>;

/** Which spans that arrive over OTLP are decisions. */
export const OtlpSettings = Type.Object(
  {
    version: Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      default: DEFAULT_OTLP.version,
      description:
        'The version of this mapping, which each decision names. Raise it with every change of the ' +
        'mapping.',
    }),
    preset: Type.Enum(['none', ...OTLP_PRESETS], {
      default: DEFAULT_OTLP.preset,
      description:
        'Rules for tool calls that are applied after `rules`. `gen_ai_1.45`: the GenAI semantic conventions 1.45 and ' +
        'earlier ones; the others: one instrumentation each; `detect_1`: all of them, by what arrives. Spans ' +
        'are not accepted while this is `none` and `rules` is empty.',
    }),
    rules: Type.Array(OtlpRule, {
      maxItems: 50,
      default: DEFAULT_OTLP.rules,
      description: 'The first rule whose conditions all hold applies to a span.',
    }),
    mask: Type.Array(
      Type.String({
        maxLength: 500,
        pattern: String.raw`^(?:inputs|outputs|metadata)(?:\.[^.]+){1,20}$`,
        'x-problem':
          'must be `inputs`, `outputs` or `metadata` with names joined by points, such as ' +
          'inputs.card.number; `*` stands for any name',
      }),
      {
        maxItems: 200,
        default: DEFAULT_OTLP.mask,
        description:
          'Paths of values that are replaced by `[masked]` before anything is stored; `*` stands for ' +
          'any name or element.',
      },
    ),
  },
  CLOSED,
);
export type OtlpSettings = Static<typeof OtlpSettings>;
