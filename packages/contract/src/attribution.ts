import { type Static, Type } from 'typebox';
import { byName, WEIGHTED_GROUPS } from './attribution-signals.js';
import { DEFAULT_MONEY_SIGNS, MONEY_SIGN_SETTINGS } from './money-signs.js';
import { byActionType } from './shared.js';

const CLOSED = { additionalProperties: false } as const;

/** Defaults. They are illustrative and not fitted to any real data. */
export const DEFAULT_ATTRIBUTION = {
  weights: byName(WEIGHTED_GROUPS, ({ weight }) => weight.default),
  half_life_hours: 72,
  half_life_hours_by_action_type: {},
  suggest_share: 0.35,
  suggest_probability: 0.5,
  suggest_recorded: 0.7,
  suggest_from_timing: false,
  time_zone: 'UTC',
  ...DEFAULT_MONEY_SIGNS,
};

const hours = (description: string) => Type.Number({ minimum: 0.25, maximum: 8760, description });

/** Settings of the attribution model. */
export const AttributionSettings = Type.Object(
  {
    weights: Type.Object(
      byName(WEIGHTED_GROUPS, ({ weight }) => Type.Number({ minimum: 0, maximum: 1, ...weight })),
      { ...CLOSED, description: 'Weights of the evidence. They sum to 1.' },
    ),
    half_life_hours: Type.Number({
      ...hours('Hours after which a decision is half as likely to be the cause.'),
      default: DEFAULT_ATTRIBUTION.half_life_hours,
    }),
    half_life_hours_by_action_type: byActionType(hours('Hours.'), {
      default: DEFAULT_ATTRIBUTION.half_life_hours_by_action_type,
      maxProperties: 1000,
      description: 'Half-life in hours of individual action types.',
    }),
    suggest_share: Type.Number({
      exclusiveMinimum: 0,
      maximum: 1,
      default: DEFAULT_ATTRIBUTION.suggest_share,
      description: 'A link is suggested if its share of the event is at least this,',
    }),
    suggest_probability: Type.Number({
      exclusiveMinimum: 0,
      maximum: 1,
      default: DEFAULT_ATTRIBUTION.suggest_probability,
      description: 'or if its probability is at least this.',
    }),
    suggest_recorded: Type.Number({
      minimum: 0,
      maximum: 1,
      default: DEFAULT_ATTRIBUTION.suggest_recorded,
      description:
        'Guesses are suggested only for events whose cause is recorded with at least this probability.',
    }),
    suggest_from_timing: Type.Boolean({
      default: DEFAULT_ATTRIBUTION.suggest_from_timing,
      description: 'Suggest links that rest on timing and the agent alone.',
    }),
    time_zone: Type.String({
      default: DEFAULT_ATTRIBUTION.time_zone,
      minLength: 1,
      maxLength: 64,
      pattern: '^[A-Za-z0-9_+/-]+$',
      'x-problem': 'must be an IANA time zone such as Europe/Berlin',
      description: 'IANA name. An event at midnight UTC or here is dated by its day alone.',
    }),
    ...MONEY_SIGN_SETTINGS,
  },
  CLOSED,
);
export type AttributionSettings = Static<typeof AttributionSettings>;
