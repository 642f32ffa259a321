import { type Static, type TSchema, Type } from 'typebox';
import { ActionWords, AmountWords } from './amount-settings.js';
import { DEFAULT_ACTION_WORDS, DEFAULT_AMOUNT_WORDS } from './amount-words.js';
import { DEFAULT_OUTCOMES, OutcomeSettings } from './outcome-settings.js';
import { amount, CLOSED } from './setting-fields.js';
import { byActionType, Day } from './shared.js';

/** How often a loss happens, from least to most often. */
export const LIKELIHOODS = ['rare', 'unlikely', 'possible', 'likely', 'near_certain'] as const;

/** How much a loss costs, from least to most. */
export const SEVERITIES = ['minor', 'moderate', 'serious', 'major', 'critical'] as const;

/** Defaults. They are illustrative and not fitted to any real data. */
export const DEFAULT_LIABILITY = {
  matrix: {},
  default_cell: { likelihood: 'possible', severity: 'moderate' },
  likelihoods: { rare: 0.0005, unlikely: 0.002, possible: 0.01, likely: 0.05, near_certain: 0.2 },
  severities: {
    minor: '100',
    moderate: '1000',
    serious: '10000',
    major: '100000',
    critical: '1000000',
  },
  benchmarks: {},
  amount_paths: ['outputs'],
  claim_paths: ['inputs'],
  amount_words: DEFAULT_AMOUNT_WORDS,
  action_words: DEFAULT_ACTION_WORDS,
  minor_unit_paths: [],
  outcomes: DEFAULT_OUTCOMES,
  version_keys: ['version', 'prompt_version', 'model'],
  response_cost: '0',
  exposure_alert_threshold: null,
  credibility: 20,
  severity_credibility: 4,
  benchmark_floor: 0,
  severity_spread: 0.8,
  confidence: { neutral: 0.8, halving: 0.2, least: 0.5, most: 4 },
  oversight: { human_in_loop: 0.85, reviewer: 0.7 },
  loss_maturity_days: 90,
  loss_maturity_days_by_action_type: {},
  loss_horizon_days: 365,
  loss_horizon_days_by_action_type: {},
};

/** Rates closer to 0 or 1 are unrealistic, and calculations with them lose precision. */
const RATE = { minimum: 1e-9, maximum: 1 - 1e-9 };

const days = (description: string) => Type.Integer({ minimum: 1, maximum: 36_500, description });

const figure = (
  fallback: number,
  bounds: { readonly minimum: number; readonly maximum: number },
  description: string,
) => Type.Number({ ...bounds, default: fallback, description });

/** A table of at most 1000 action types. */
const perActionType = <Value extends TSchema>(value: Value, description: string) =>
  byActionType(value, { default: {}, maxProperties: 1000, description });

const likelihood = (name: (typeof LIKELIHOODS)[number]) =>
  figure(
    DEFAULT_LIABILITY.likelihoods[name],
    RATE,
    `Probability of a loss rated ${name.replace('_', ' ')}.`,
  );

const severity = (name: (typeof SEVERITIES)[number]) => ({
  ...amount(`Amount at risk of a loss rated ${name}, in the base currency.`),
  default: DEFAULT_LIABILITY.severities[name],
});

const { default_cell } = DEFAULT_LIABILITY;

const Cell = Type.Object(
  {
    likelihood: Type.Enum(LIKELIHOODS, { description: 'How likely a loss is.' }),
    severity: Type.Enum(SEVERITIES, { description: 'How much is at risk.' }),
  },
  CLOSED,
);

const DefaultCell = Type.Object(
  {
    likelihood: Type.Enum(LIKELIHOODS, {
      default: default_cell.likelihood,
      description: 'Likelihood for action types that are not in the matrix.',
    }),
    severity: Type.Enum(SEVERITIES, {
      default: default_cell.severity,
      description: 'Severity for action types that are not in the matrix.',
    }),
  },
  CLOSED,
);

const Benchmark = Type.Object(
  {
    loss_rate: Type.Number({ ...RATE, description: 'Share of decisions that cause a loss.' }),
    source: Type.String({ minLength: 1, maxLength: 500, description: 'Source of the rate.' }),
    as_of: Day('Date of the rate, at most a year in the future.'),
  },
  CLOSED,
);

/** A path into a payload: its field and keys, such as `outputs.loan.principal`. */
const PATH = {
  minLength: 1,
  maxLength: 300,
  pattern: String.raw`^(?:outputs|inputs)(?:\..+)?$`,
  'x-problem': 'must be outputs or inputs, or a path such as outputs.amount',
};

const paths = (fallback: readonly string[], description: string) =>
  Type.Array(Type.String(PATH), { maxItems: 50, default: [...fallback], description });

const { confidence, oversight } = DEFAULT_LIABILITY;

const ConfidenceSettings = Type.Object(
  {
    neutral: figure(
      confidence.neutral,
      { minimum: 0, maximum: 1 },
      'Confidence that does not change the odds of a loss.',
    ),
    halving: figure(
      confidence.halving,
      { minimum: 0.01, maximum: 10 },
      'The increase in confidence that halves the odds of a loss; the same decrease doubles them.',
    ),
    least: figure(
      confidence.least,
      { minimum: 0.01, maximum: 1 },
      'Lower limit of the factor that confidence applies to the odds,',
    ),
    most: figure(confidence.most, { minimum: 1, maximum: 100 }, 'and its upper limit.'),
  },
  CLOSED,
);

const OversightSettings = Type.Object(
  {
    human_in_loop: figure(
      oversight.human_in_loop,
      { minimum: 0.3, maximum: 1 },
      'Factor on the odds of a loss for `human_in_loop` alone.',
    ),
    reviewer: figure(
      oversight.reviewer,
      { minimum: 0.3, maximum: 1 },
      'Factor for a decision with a `metadata.reviewer_id`; at most that of `human_in_loop`.',
    ),
  },
  CLOSED,
);

/** Settings of the liability model. */
export const LiabilitySettings = Type.Object(
  {
    matrix: perActionType(Cell, 'Risk matrix: likelihood and severity of each action type.'),
    default_cell: DefaultCell,
    likelihoods: Type.Object(
      {
        rare: likelihood('rare'),
        unlikely: likelihood('unlikely'),
        possible: likelihood('possible'),
        likely: likelihood('likely'),
        near_certain: likelihood('near_certain'),
      },
      CLOSED,
    ),
    severities: Type.Object(
      {
        minor: severity('minor'),
        moderate: severity('moderate'),
        serious: severity('serious'),
        major: severity('major'),
        critical: severity('critical'),
      },
      CLOSED,
    ),
    benchmarks: perActionType(
      Benchmark,
      'External loss rates. They take precedence over the likelihood of the matrix.',
    ),
    amount_paths: paths(
      DEFAULT_LIABILITY.amount_paths,
      'Where decisions state what they approve or do, first match first. A path to an object searches it ' +
        'for keys that mean money.',
    ),
    claim_paths: paths(
      DEFAULT_LIABILITY.claim_paths,
      'Where amounts stand that somebody asks for. They count where the step approves them.',
    ),
    amount_words: AmountWords,
    action_words: ActionWords,
    minor_unit_paths: paths(
      DEFAULT_LIABILITY.minor_unit_paths,
      'Paths of amounts in minor units (cents), besides keys that say so.',
    ),
    outcomes: OutcomeSettings,
    version_keys: Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
      maxItems: 10,
      default: [...DEFAULT_LIABILITY.version_keys],
      description: 'Keys of metadata that together name the version of an agent.',
    }),
    response_cost: {
      ...amount('Cost of handling a loss, in addition to the amount, in the base currency.'),
      default: DEFAULT_LIABILITY.response_cost,
    },
    exposure_alert_threshold: Type.Union([amount('An amount.'), Type.Null()], {
      default: DEFAULT_LIABILITY.exposure_alert_threshold,
      description:
        'What may still be lost in total, in the base currency, that is too much: without the losses so far. More of it ' +
        'is reported. Null: no threshold. A decimal.',
    }),
    credibility: figure(
      DEFAULT_LIABILITY.credibility,
      { minimum: 1, maximum: 1_000_000 },
      'Weight of the expected loss rate, as a number of observed decisions.',
    ),
    severity_credibility: figure(
      DEFAULT_LIABILITY.severity_credibility,
      { minimum: 1, maximum: 1_000_000 },
      'Weight of the assumed loss sizes (the whole amount, on average), as a number of losses.',
    ),
    benchmark_floor: figure(
      DEFAULT_LIABILITY.benchmark_floor,
      { minimum: 0, maximum: 1 },
      'Minimum loss rate, as a share of the benchmark. 0: none.',
    ),
    severity_spread: figure(
      DEFAULT_LIABILITY.severity_spread,
      { minimum: 0, maximum: 3 },
      'Spread of loss sizes: the standard deviation of their logarithm.',
    ),
    confidence: ConfidenceSettings,
    oversight: OversightSettings,
    loss_maturity_days: {
      ...days('Days after which a decision without a loss counts as successful.'),
      default: DEFAULT_LIABILITY.loss_maturity_days,
    },
    loss_maturity_days_by_action_type: perActionType(
      days('Number of days.'),
      '`loss_maturity_days` of individual action types.',
    ),
    loss_horizon_days: {
      ...days('Days after which no further loss of a decision is expected.'),
      default: DEFAULT_LIABILITY.loss_horizon_days,
    },
    loss_horizon_days_by_action_type: perActionType(
      days('Number of days.'),
      '`loss_horizon_days` of individual action types.',
    ),
  },
  CLOSED,
);
export type LiabilitySettings = Static<typeof LiabilitySettings>;
