import { type Static, Type } from 'typebox';
import { CLOSED } from './setting-fields.js';

const MAX_NAME = 200;

/** The attribute from which a confidence is read unless a rule names another one. */
export const CONFIDENCE_ATTRIBUTE = 'decision_ledger.confidence';

/** What a rule of the mapping reads if it does not say otherwise: GenAI semantic conventions 1.45. */
export const OTLP_RULE_DEFAULTS = {
  agent_id: ['gen_ai.agent.name', 'gen_ai.agent.id', 'resource:service.name'],
  action_type: ['gen_ai.tool.name', 'span:name'],
  inputs: ['gen_ai.tool.call.arguments'],
  outputs: ['gen_ai.tool.call.result'],
  confidence: [CONFIDENCE_ATTRIBUTE],
  human_in_loop: ['decision_ledger.human_in_loop'],
  metadata: {},
};

export const DEFAULT_OTLP = { version: 1, preset: 'none', rules: [], mask: [] };

const Attribute = (description: string) =>
  Type.String({ minLength: 1, maxLength: MAX_NAME, description });

/** Places that are read in order, until one has a value. */
const sources = (name: keyof typeof OTLP_RULE_DEFAULTS, description: string, pattern?: string) =>
  Type.Array(
    Type.String({
      minLength: 1,
      maxLength: MAX_NAME,
      ...(pattern !== undefined && {
        pattern,
        'x-problem':
          'must be an attribute, `evaluation:NAME`, or `fixed:` and a number from 0 to 1',
      }),
    }),
    { minItems: 1, maxItems: 20, default: OTLP_RULE_DEFAULTS[name], description },
  );

const TEXT =
  'In this order, the first that is present: an attribute of the span, `resource:` and an attribute of ' +
  'its resource, `span:name`, or `fixed:` and a text.';
const PAYLOAD =
  'Attributes of the span. An object, or a JSON text of one, is taken as it is if one attribute is ' +
  'listed; anything else stands under the name of its attribute.';

/** One kind of span that is a decision, and where the decision is read from. */
export const OtlpRule = Type.Object(
  {
    operation: Type.Optional(Attribute('The value of `gen_ai.operation.name`.')),
    span_name: Type.Optional(Attribute('The name of the span. A `*` at its end matches any rest.')),
    attribute: Type.Optional(Attribute('An attribute that the span must have.')),
    value: Type.Optional(Attribute('The value of `attribute`, as text. Default: any.')),
    agent_id: sources('agent_id', TEXT),
    action_type: sources('action_type', TEXT),
    inputs: sources('inputs', PAYLOAD),
    outputs: sources('outputs', PAYLOAD),
    confidence: sources(
      'confidence',
      'In this order, the first that is present: an attribute of the span, `evaluation:` and the name ' +
        'of an evaluation whose score is in an event of the span or on it, or `fixed:` and a number from 0 to 1. ' +
        'A span without any is refused.',
      String.raw`^(?!evaluation:$)(?!fixed:)|^fixed:(?:0(?:\.[0-9]{1,6})?|1(?:\.0{1,6})?)$`,
    ),
    human_in_loop: sources(
      'human_in_loop',
      'Attributes of the span. The first that is present says whether a person took part.',
    ),
    metadata: Type.Record(
      Type.String({ pattern: '^[A-Za-z0-9_.-]{1,100}$' }),
      Attribute('An attribute of the span, or `resource:` and one of its resource.'),
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
    preset: Type.Enum(['none', 'gen_ai_1.45'], {
      default: DEFAULT_OTLP.preset,
      description:
        'Rules that are applied after `rules`. `gen_ai_1.45`: tool calls (`execute_tool`) of the GenAI ' +
        'semantic conventions 1.45. Spans are not accepted while this is `none` and `rules` is empty.',
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
