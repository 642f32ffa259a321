import { type Static, type TSchema, Type } from 'typebox';
import { byActionType, Day } from './shared.js';

const CLOSED = { additionalProperties: false } as const;

/** How often something goes wrong, from seldom to often. */
export const LIKELIHOODS = ['rare', 'unlikely', 'possible', 'likely', 'near_certain'] as const;

/** What it then costs, from little to much. */
export const SEVERITIES = ['minor', 'moderate', 'serious', 'major', 'critical'] as const;

/** What holds until an organisation says otherwise; illustrative, not fitted to anybody's data. */
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
  response_cost: '0',
  exposure_alert_threshold: null,
  credibility: 200,
  severity_credibility: 20,
  benchmark_floor: 0.5,
  severity_spread: 0.8,
  confidence: { neutral: 0.8, halving: 0.2, least: 0.5, most: 4 },
  oversight: { human_in_loop: 0.85, reviewer: 0.7 },
  loss_maturity_days: 90,
  loss_maturity_days_by_action_type: {},
  loss_horizon_days: 365,
  loss_horizon_days_by_action_type: {},
};

/** Rates this near to 0 or 1 are no figures of business, and calculation with them loses digits. */
const RATE = { minimum: 1e-9, maximum: 1 - 1e-9 };

const amount = (description: string) =>
  Type.String({
    pattern: String.raw`^(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,12})?$`,
    'x-problem':
      'must be a decimal of 0 or more, with at most 15 digits before and 12 after the point',
    description: `${description} A decimal of 0 or more.`,
  });

const days = (description: string) => Type.Integer({ minimum: 1, maximum: 36_500, description });

const figure = (
  fallback: number,
  bounds: { readonly minimum: number; readonly maximum: number },
  description: string,
) => Type.Number({ ...bounds, default: fallback, description });

/** Most action types that a table names. */
const perActionType = <Value extends TSchema>(value: Value, description: string) =>
  byActionType(value, { default: {}, maxProperties: 1000, description });

const likelihood = (name: (typeof LIKELIHOODS)[number]) =>
  figure(
    DEFAULT_LIABILITY.likelihoods[name],
    RATE,
    `Probability of a loss that ${name.replace('_', ' ')} stands for.`,
  );

const severity = (name: (typeof SEVERITIES)[number]) => ({
  ...amount(`Amount at risk that ${name} stands for, in the base currency.`),
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
      description: 'Likelihood for action types that the matrix does not name.',
    }),
    severity: Type.Enum(SEVERITIES, {
      default: default_cell.severity,
      description: 'Severity for them.',
    }),
  },
  CLOSED,
);

const Benchmark = Type.Object(
  {
    loss_rate: Type.Number({ ...RATE, description: 'Share of such decisions that cost money.' }),
    source: Type.String({ minLength: 1, maxLength: 500, description: 'Where the rate is from.' }),
    as_of: Day('The day that it is of, at most a year ahead.'),
  },
  CLOSED,
);

const { confidence, oversight } = DEFAULT_LIABILITY;

const ConfidenceSettings = Type.Object(
  {
    neutral: figure(
      confidence.neutral,
      { minimum: 0, maximum: 1 },
      'Confidence that leaves the odds of a loss as they are.',
    ),
    halving: figure(
      confidence.halving,
      { minimum: 0.01, maximum: 10 },
      'So much more confidence halves the odds of a loss, so much less doubles them.',
    ),
    least: figure(
      confidence.least,
      { minimum: 0.01, maximum: 1 },
      'No confidence brings the odds below so many times what they are,',
    ),
    most: figure(confidence.most, { minimum: 1, maximum: 100 }, 'and none above so many times.'),
  },
  CLOSED,
);

const OversightSettings = Type.Object(
  {
    human_in_loop: figure(
      oversight.human_in_loop,
      { minimum: 0.3, maximum: 1 },
      'What `human_in_loop` alone multiplies the odds of a loss by.',
    ),
    reviewer: figure(
      oversight.reviewer,
      { minimum: 0.3, maximum: 1 },
      'The same for a decision with a `metadata.reviewer_id`; at most as much.',
    ),
  },
  CLOSED,
);

/** How it is estimated what decisions could cost. */
export const LiabilitySettings = Type.Object(
  {
    matrix: perActionType(
      Cell,
      'Risk matrix: the likelihood and the severity of each action type.',
    ),
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
      'Loss rates from outside, which go before the likelihood of the matrix.',
    ),
    response_cost: {
      ...amount('What each loss costs besides the amount, in the base currency.'),
      default: DEFAULT_LIABILITY.response_cost,
    },
    exposure_alert_threshold: Type.Union([amount('An amount.'), Type.Null()], {
      default: DEFAULT_LIABILITY.exposure_alert_threshold,
      description:
        'Total exposure, in the base currency, that is too much; none when null. A decimal.',
    }),
    credibility: figure(
      DEFAULT_LIABILITY.credibility,
      { minimum: 1, maximum: 1_000_000 },
      'How many decisions of its own the expected loss rate is worth.',
    ),
    severity_credibility: figure(
      DEFAULT_LIABILITY.severity_credibility,
      { minimum: 1, maximum: 1_000_000 },
      'How many losses the assumption is worth that a loss takes the whole amount.',
    ),
    benchmark_floor: figure(
      DEFAULT_LIABILITY.benchmark_floor,
      { minimum: 0, maximum: 1 },
      'No loss is less likely than this share of the benchmark.',
    ),
    severity_spread: figure(
      DEFAULT_LIABILITY.severity_spread,
      { minimum: 0, maximum: 3 },
      'How much losses differ in size: the standard deviation of their logarithm.',
    ),
    confidence: ConfidenceSettings,
    oversight: OversightSettings,
    loss_maturity_days: {
      ...days('Days after which a decision without a loss counts as one that went well.'),
      default: DEFAULT_LIABILITY.loss_maturity_days,
    },
    loss_maturity_days_by_action_type: perActionType(
      days('Days.'),
      'The same for single action types.',
    ),
    loss_horizon_days: {
      ...days('Days after which a decision is expected to cost nothing more.'),
      default: DEFAULT_LIABILITY.loss_horizon_days,
    },
    loss_horizon_days_by_action_type: perActionType(
      days('Days.'),
      'The same for single action types.',
    ),
  },
  CLOSED,
);
export type LiabilitySettings = Static<typeof LiabilitySettings>;
