import { type Static, Type } from 'typebox';
import { CLOSED, FORMAT, STATE } from './analytics-figures.js';
import { RangeParameters, Timestamp } from './shared.js';

/** The query of GET /analytics/attribution-quality. */
export const QualityQuery = Type.Object({ ...RangeParameters, ...FORMAT }, CLOSED);
export type QualityQuery = Static<typeof QualityQuery>;

const Count = (description: string) => Type.Integer({ minimum: 0, description });
const Share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });
const orNull = <Schema extends ReturnType<typeof Type.Object>>(schema: Schema, why: string) =>
  Type.Union([schema, Type.Null()], { description: why });

const INTERVAL = {
  low: Share('Lower end of the 95 % interval.'),
  high: Share('Upper end of the 95 % interval.'),
  units: Count('What was audited: suggestions, or events with a recorded cause.'),
  effective_units: Type.Number({
    minimum: 0,
    description: 'How many units of equal weight would say as much.',
  }),
};

const Proportion = Type.Object({ value: Share('Weighted share.'), ...INTERVAL });

const ProportionOrNull = (description: string) =>
  Type.Union([Proportion, Type.Null()], {
    description: `${description} Null with a \`reason\`, or if no audit has any.`,
  });

const ReliabilityBin = Type.Object({
  from: Share('Least share of the bin.'),
  to: Share('Upper end of the bin; the last one includes 1.'),
  mean_share: Share('Weighted mean of the suggested shares.'),
  observed: Share('Weighted share of suggestions that people found right.'),
  ...INTERVAL,
});

const Calibration = Type.Object({
  suggestions: Count('Audited suggestions.'),
  mean_share: Share('Weighted mean of the suggested shares.'),
  observed: Share('Weighted share of suggestions that people found right.'),
  ece: Share('Expected calibration error: weighted mean distance of the bins.'),
  ece_by_chance: Share('Mean of this error for a perfectly calibrated model and as many audits.'),
  bins: Type.Array(ReliabilityBin, {
    description: 'Tenths of the share; empty ones are left out.',
  }),
});

/** What audits say of a period. */
const PERIOD = {
  audits: Count('Events that were drawn.'),
  answered: Count('Audits with an answer.'),
  skipped: Count('Audits that nobody could answer.'),
  unanswered: Count('Audits that wait for an answer.'),
  represented: Type.Union([Share(''), Type.Null()], {
    description: 'Share of the events whose stratum has an answered audit; null without audits.',
  }),
  reason: Type.Union([Type.Enum(['too_few_answers']), Type.Null()], {
    description: 'Why there are no figures: fewer than 30 answered audits. Null if there are.',
  }),
  precision: Type.Object({
    matched: ProportionOrNull('Of the events with a match: those whose cause is a step of it.'),
    suggested: ProportionOrNull('Of all suggestions: those that are right.'),
  }),
  recall: Type.Object({
    matched: ProportionOrNull('Of the recorded causes: those that are steps of a match.'),
    suggested: ProportionOrNull('Of the recorded causes: those with any suggestion.'),
  }),
  calibration: orNull(Calibration, 'Shares against answers. Null like a precision.'),
};

const Drift = Type.Object({
  metric: Type.Enum(['identifier_coverage', 'lag', 'share'], {
    description:
      'identifier_coverage: whether an event shares an identifier with a decision. lag: hours from ' +
      'the best suggestion to the event. share: the greatest share of an event.',
  }),
  index: Type.Union([Type.Number(), Type.Null()], {
    description: 'Population stability index; null with too few events.',
  }),
  state: Type.Enum(['stable', 'moved', 'drifted', 'too_few_events'], {
    description:
      'moved: above 0.1. drifted: above 0.25. too_few_events: fewer than 200 in the month or before.',
  }),
  events: Count('Scored events of the month.'),
  reference_events: Count('Scored events of the three months before.'),
  shares: Type.Array(Type.Number(), { description: 'Share of each bin in the month.' }),
  reference_shares: Type.Array(Type.Number(), { description: 'The same of the months before.' }),
});

/** Whether suggestions may be labelled `matched`. */
const LabelState = Type.Object({
  state: Type.Enum(['given', 'withdrawn'], {
    description: 'withdrawn: all suggestions are `guessed`.',
  }),
  changed_at: Type.Union([Timestamp, Type.Null()], {
    description: 'When it was withdrawn or restored last; null if never.',
  }),
  least_precision: Share('What the lower end of the precision must reach.'),
  audits_since: Type.String({ description: 'First day of the audits that decide: YYYY-MM-DD.' }),
  answered: Count('Answered audits since then.'),
  precision: ProportionOrNull('Precision of `matched` in these audits.'),
});

const QualityPeriod = Type.Object(PERIOD);
export type QualityPeriod = Static<typeof QualityPeriod>;

const QualityMonth = Type.Object({
  month: Type.String({ description: 'Month in which the events were recorded, UTC, as YYYY-MM.' }),
  ...PERIOD,
  drift: Type.Array(Drift, { description: 'Against the three months before.' }),
});
export type QualityMonth = Static<typeof QualityMonth>;

/** What audits say of the suggestions of a ledger, in all and by month. */
export const AttributionQuality = Type.Object({
  ...STATE,
  label: LabelState,
  ...PERIOD,
  by_month: Type.Array(QualityMonth, { description: 'Oldest first.' }),
});
export type AttributionQuality = Static<typeof AttributionQuality>;

/** The query of GET /analytics/attribution-model. */
export const AttributionModelQuery = Type.Object(
  {
    model: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 2_147_483_647,
        description: 'The number that a score names. Default: the newest.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type AttributionModelQuery = Static<typeof AttributionModelQuery>;

/** The answer to GET /analytics/attribution-model. */
export const AttributionModel = Type.Object({
  model: Type.Integer({ description: 'Its number in this ledger.' }),
  version: Type.String(),
  sha256: Type.String({
    description:
      'SHA-256 of the snapshot, as in the record attribution.model_changed: hexadecimal.',
  }),
  weights: Type.Record(Type.String(), Type.Number(), {
    description: 'The weight of each feature: feature × weight is the evidence of a score.',
  }),
  snapshot: Type.String({
    description: 'All that was learned, as it is stored: canonical JSON (RFC 8785).',
  }),
});
export type AttributionModel = Static<typeof AttributionModel>;
