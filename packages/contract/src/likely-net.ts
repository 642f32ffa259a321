import { type Static, Type } from 'typebox';
import { Money } from './analytics-figures.js';

/** The range of a profit and loss over all money, reviewed or not. */
export const LikelyNet = Type.Union(
  [
    Type.Object({
      proven: Type.String({ description: 'What people confirmed: the net of `confirmed`.' }),
      likely: Type.String({
        description:
          'Of the money whose cause nobody named: each event times the probability that a recorded ' +
          'decision caused it.',
      }),
      unknown: Type.String({
        description:
          'The rest of `total`: no recorded decision is expected to have caused it, or somebody said so.',
      }),
      expected: Type.String({ description: '`proven` + `likely`.' }),
      low: Money,
      high: Money,
      headline: Type.Enum(['below', 'within', 'above'], {
        description: 'Where `net_ai_impact` lies: below `low`, above `high`, or within.',
      }),
    }),
    Type.Null(),
  ],
  {
    description:
      'What all money of the range was moved by recorded decisions, whatever is reviewed: the truth ' +
      'lies between `low` and `high` in about 9 cases of 10. It covers wrong suggestions, missing ones and a ' +
      'model that is wrong about whole event types; not wrong answers of people, money without an ' +
      'exchange rate, or events that were not reported. Null for one agent or action type.',
  },
);
export type LikelyNet = NonNullable<Static<typeof LikelyNet>>;
