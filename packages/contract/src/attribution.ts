import { type Static, Type } from 'typebox';
import { byActionType } from './shared.js';

const CLOSED = { additionalProperties: false } as const;

/** What holds until an organisation says otherwise; illustrative, not fitted to anybody's data. */
export const DEFAULT_ATTRIBUTION = {
  weights: { temporal: 0.35, metadata: 0.3, agent_pattern: 0.2, amount: 0.15 },
  half_life_hours: 72,
  half_life_hours_by_action_type: {},
  suggest_share: 0.35,
  suggest_probability: 0.5,
};

const weight = (name: keyof typeof DEFAULT_ATTRIBUTION.weights, description: string) =>
  Type.Number({
    minimum: 0,
    maximum: 1,
    default: DEFAULT_ATTRIBUTION.weights[name],
    description,
  });

const hours = (description: string) => Type.Number({ minimum: 0.25, maximum: 8760, description });

/** How suggested links are found. */
export const AttributionSettings = Type.Object(
  {
    weights: Type.Object(
      {
        temporal: weight('temporal', 'How soon the event followed the decision.'),
        metadata: weight('metadata', 'How much of their metadata agrees.'),
        agent_pattern: weight('agent_pattern', 'What reviews said of the same agent and action.'),
        amount: weight('amount', 'How usual the amount is for the action type.'),
      },
      { ...CLOSED, description: 'They sum to 1.' },
    ),
    half_life_hours: Type.Number({
      ...hours('Hours after which a decision is half as likely the cause.'),
      default: DEFAULT_ATTRIBUTION.half_life_hours,
    }),
    half_life_hours_by_action_type: byActionType(hours('Hours.'), {
      default: DEFAULT_ATTRIBUTION.half_life_hours_by_action_type,
      maxProperties: 1000,
      description: 'The same for single action types.',
    }),
    suggest_share: Type.Number({
      exclusiveMinimum: 0,
      maximum: 1,
      default: DEFAULT_ATTRIBUTION.suggest_share,
      description: 'A link is suggested from this share of the event on,',
    }),
    suggest_probability: Type.Number({
      exclusiveMinimum: 0,
      maximum: 1,
      default: DEFAULT_ATTRIBUTION.suggest_probability,
      description: 'or from this probability on.',
    }),
  },
  CLOSED,
);
export type AttributionSettings = Static<typeof AttributionSettings>;
