import { type Static, Type } from 'typebox';
import { Id } from './shared.js';

/** How the amounts that a decision states fit an event, the surest first. */
export const AMOUNT_FITS = [
  ...(['equal', 'minor', 'converted', 'sum', 'part', 'below', 'other', 'none'] as const),
] as const;
export type AmountFit = (typeof AMOUNT_FITS)[number];

/** A dotted path, such as `metadata.order_id`. */
const Field = (of: string) =>
  Type.Union([Type.String(), Type.Null()], {
    description:
      `Where the ${of} states it, such as metadata.order_id: the member, or the text that contains it. ` +
      'Null inside a text that holds JSON.',
  });

export const SharedIdentifier = Type.Object({
  event_field: Field('event'),
  event_value: Type.String(),
  decision_field: Field('decision'),
  decision_value: Type.String({ description: 'The same value, which may be spelled otherwise.' }),
  decisions: Type.Integer({
    minimum: 1,
    description: 'About how many decisions of the ledger hold it.',
  }),
});
export type SharedIdentifier = Static<typeof SharedIdentifier>;

/** What a decision and an event have in common, as they are recorded now. */
export const Explanation = Type.Object({
  sentence: Type.String({
    description:
      'In English, such as "Order SO-7003 and 104.11 USD appear in both; 61 minutes later." It quotes ' +
      'values of both.',
  }),
  shared: Type.Array(SharedIdentifier, {
    maxItems: 5,
    description:
      'The identifiers in both: those of transactions before those of persons and things, the rarest first.',
  }),
  amount: Type.Enum([...AMOUNT_FITS], {
    description:
      'How the amounts of the decision fit that of the event: equal, equal in minor units, equal after ' +
      'conversion, a sum, a usual part, below all of them, other, or none stated.',
  }),
});
export type Explanation = Static<typeof Explanation>;

export const ExplanationQuery = Type.Object(
  { decision_id: Id('dec', 'The decision that it is compared with.') },
  { additionalProperties: false },
);
export type ExplanationQuery = Static<typeof ExplanationQuery>;
