import { type Static, Type } from 'typebox';
import { Decision } from './decision.js';
import { ERASABLE_FIELDS, ErasableFieldName } from './erasure.js';
import { Liability } from './liability.js';
import { Link } from './link.js';
import { DecisionOutcome } from './outcome-settings.js';
import { Hash, Id, NextCursor } from './shared.js';

const Neighbour = (description: string) =>
  Type.Union(
    [
      Type.Object({
        decision_id: Decision.properties.decision_id,
        seq: Decision.properties.seq,
        hash: Decision.properties.hash,
      }),
      Type.Null(),
    ],
    { description },
  );

/** The answer to GET /decisions/{id}. */
export const DecisionInDetail = Type.Object({
  ...Decision.properties,
  previous: Neighbour('The decision before it in the chain. Null for the first one.'),
  next: Neighbour('The decision after it in the chain. Null for the last one.'),
  outcome: DecisionOutcome,
  liability: Type.Union([Liability, Type.Null()], {
    description: 'The current estimate: the stored one, or the first one until it is stored.',
  }),
  links: Type.Array(Link, {
    description: 'Its active links, newest first: at most one page of GET /links.',
  }),
  links_next_cursor: Type.Union(NextCursor.anyOf, {
    description:
      'The cursor that continues the list with GET /links?decision_id={id}. Null if the list is ' +
      'complete.',
  }),
});
export type DecisionInDetail = Static<typeof DecisionInDetail>;

/** The body of POST /decisions/{id}/presentation. */
export const PresentationBody = Type.Object(
  {
    fields: Type.Array(ErasableFieldName, {
      maxItems: ERASABLE_FIELDS.length,
      uniqueItems: true,
      description:
        'Fields to disclose. The decision must have been recorded with each of them; of one that was ' +
        'erased, the record of the erasure is shown. Empty to show the entry alone.',
    }),
  },
  { additionalProperties: false },
);
export type PresentationBody = Static<typeof PresentationBody>;

/** One decision with chosen fields, and the proof that it is in the log. */
export const DecisionPresentation = Type.Object({
  decision_id: Id('dec'),
  seq: Type.Integer({ minimum: 1 }),
  hash: Hash,
  status: Type.Enum(['covered', 'pending'], {
    description:
      '`pending` until checkpoints cover the decision and the erasures; the answer is then 202.',
  }),
  presentation: Type.Union([Type.String(), Type.Null()], {
    description: 'The text of a .dlp.json file; null while pending.',
  }),
});
export type DecisionPresentation = Static<typeof DecisionPresentation>;
