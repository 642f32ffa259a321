import { type Static, Type } from 'typebox';
import { ERASABLE_FIELDS, ErasableFieldName } from './erasure.js';
import { Hash, Id } from './shared.js';

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
