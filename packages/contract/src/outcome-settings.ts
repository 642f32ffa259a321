import { type Static, Type } from 'typebox';

const CLOSED = { additionalProperties: false } as const;

/** How the action of a decision ended. */
export const OUTCOMES = ['done', 'failed', 'denied', 'unknown'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** How the action of a decision ended, and what says so. */
export const DecisionOutcome = Type.Object(
  {
    outcome: Type.Enum(OUTCOMES),
    reason: Type.Union([Type.Enum(['stated', 'value', 'error', 'http_status']), Type.Null()], {
      description:
        'What says so: a statement in `metadata.outcome`, a listed value, an error or an HTTP status. Null ' +
        'if nothing does.',
    }),
    by: Type.Union([Type.String(), Type.Null()], {
      description: 'The path of that value, such as `outputs.status`.',
    }),
  },
  {
    description:
      'How the action ended, as the settings of `liability.outcomes` read it from what is recorded now.',
  },
);
export type DecisionOutcome = Static<typeof DecisionOutcome>;

const PATH = {
  maxLength: 300,
  pattern: String.raw`^(?:outputs|inputs|metadata)\..+$`,
  'x-problem': 'must be a path such as outputs.status, in outputs, inputs or metadata',
};

const OUTPUT = {
  maxLength: 300,
  pattern: String.raw`^outputs\..+$`,
  'x-problem': 'must be a path in the outputs, such as outputs.result',
};

const OutcomeRule = Type.Object(
  {
    outcome: Type.Enum(OUTCOMES, { description: 'What the values say.' }),
    paths: Type.Array(Type.String(PATH), {
      minItems: 1,
      maxItems: 20,
      description: 'Paths of values, such as `outputs.approved`.',
    }),
    values: Type.Array(
      Type.Union([Type.Boolean(), Type.String({ minLength: 1, maxLength: 100 })], {
        description: 'A value that says so.',
      }),
      {
        minItems: 1,
        maxItems: 50,
        description:
          'Booleans, or texts that the whole value equals: upper case, spaces, hyphens and underscores make ' +
          'no difference.',
      },
    ),
    unless_action: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description:
          'Not for actions whose type contains this text: `cancelled` is what a cancellation reports when it ' +
          'is done.',
      }),
    ),
  },
  CLOSED,
);
export type OutcomeRule = Static<typeof OutcomeRule>;

export type OutcomeDefaults = {
  values: OutcomeRule[];
  errors: string[];
  http_statuses: string[];
  results: string[];
};

const under = (...names: string[]) => names.map((name) => `outputs.${name}`);
/** What OpenTelemetry calls the result of a tool. */
const TOOL_RESULT = 'gen_ai.tool.call.result';
const STATUSES = under(
  ...['status', 'decision', 'outcome', 'state', 'result', 'value', 'content', TOOL_RESULT],
);

/** Where payloads usually say how an action ended. No value stands for another one that means the same. */
export const DEFAULT_OUTCOMES: OutcomeDefaults = {
  values: [
    {
      outcome: 'denied',
      paths: under('approved', 'accepted', 'allowed', 'authorized'),
      values: [false],
    },
    {
      outcome: 'denied',
      paths: under('denied', 'declined', 'rejected', 'refused'),
      values: [true],
    },
    {
      outcome: 'denied',
      paths: STATUSES,
      values: ['denied', 'declined', 'rejected', 'refused', 'blocked', 'unauthorized'],
    },
    {
      outcome: 'denied',
      paths: STATUSES,
      values: ['cancelled', 'canceled'],
      unless_action: 'cancel',
    },
    { outcome: 'failed', paths: under('success', 'succeeded', 'ok'), values: [false] },
    { outcome: 'failed', paths: under('failed', 'isError', 'is_error'), values: [true] },
    {
      outcome: 'failed',
      paths: STATUSES,
      values: ['failed', 'failure', 'fail', 'error', 'aborted', 'not_found', 'invalid'],
    },
    {
      outcome: 'unknown',
      paths: STATUSES,
      values: ['partial', 'pending', 'processing', 'in_progress', 'queued', 'timeout', 'timed_out'],
    },
    {
      outcome: 'done',
      paths: under('approved', 'accepted', 'allowed', 'success', 'succeeded', 'ok'),
      values: [true],
    },
    {
      outcome: 'done',
      paths: STATUSES,
      values: ['done', 'ok', 'success', 'succeeded', 'completed', 'approved', 'accepted'],
    },
  ],
  errors: under('error', 'exception'),
  http_statuses: under('status', 'status_code', 'statusCode', 'http_status', 'httpStatus'),
  results: under(
    ...['result', 'value', 'output', 'response', 'content'],
    ...['structuredContent', 'structured_content', TOOL_RESULT],
  ),
};

/** How the outcome of a decision is read from its payload. */
export const OutcomeSettings = Type.Object(
  {
    values: Type.Array(OutcomeRule, {
      maxItems: 40,
      default: [...DEFAULT_OUTCOMES.values],
      description: 'Values that say how the action ended.',
    }),
    errors: Type.Array(Type.String(PATH), {
      maxItems: 20,
      default: [...DEFAULT_OUTCOMES.errors],
      description:
        'Paths of errors. One that is there says that the action failed: true, a text, an object or a list that ' +
        'is not empty.',
    }),
    http_statuses: Type.Array(Type.String(PATH), {
      maxItems: 20,
      default: [...DEFAULT_OUTCOMES.http_statuses],
      description:
        'Paths of HTTP statuses. One from 400 to 599 says that the action failed, but for 408 and 504, after ' +
        'which it may have been done all the same; one from 200 to 299, other than 202, that it was done.',
    }),
    results: Type.Array(Type.String(OUTPUT), {
      maxItems: 20,
      default: [...DEFAULT_OUTCOMES.results],
      description:
        'Paths of results that stand in the outputs. They are read as the outputs are; a JSON text of an ' +
        'object, and the only text of a list of contents, too.',
    }),
  },
  CLOSED,
);
export type OutcomeSettings = Static<typeof OutcomeSettings>;
