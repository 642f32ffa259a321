import { type Static, Type } from 'typebox';
import { CLOSED } from './setting-fields.js';
import { CURRENCY_PATTERN, CURRENCY_PROBLEM, Day, Name } from './shared.js';

const Price = (description: string) =>
  Type.String({
    pattern: String.raw`^(?:0|[1-9][0-9]{0,11})(?:\.[0-9]{1,12})?$`,
    'x-problem':
      'must be a decimal of 0 or more, with at most 12 digits before and 12 after the point',
    description: `${description} A decimal of 0 or more.`,
  });

/** What tokens of a model cost from a day on. */
export const ModelPrice = Type.Object(
  {
    model: Name('The model, as `metadata.model` of decisions names it.'),
    from: Day('The first day (UTC) on which the price applies, until the next one of the model.'),
    currency: Type.String({
      pattern: CURRENCY_PATTERN,
      description: 'The currency of the prices (ISO 4217).',
      'x-problem': CURRENCY_PROBLEM,
    }),
    input: Price('A million input tokens.'),
    cached_input: Type.Optional(
      Price('A million input tokens that were cached. Default: as much as others.'),
    ),
    output: Price('A million output tokens.'),
  },
  CLOSED,
);
export type ModelPrice = Static<typeof ModelPrice>;
