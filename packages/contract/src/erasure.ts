import { type Static, Type } from 'typebox';
import { Id } from './shared.js';

/** The parts of a decision that can be erased, in the order in which they are told. */
export const ERASABLE_FIELDS = ['inputs', 'outputs', 'alternatives', 'metadata'] as const;

export type ErasableField = (typeof ERASABLE_FIELDS)[number];

export const ErasableFieldName = Type.Enum([...ERASABLE_FIELDS]);

/** The body of POST /decisions/{id}/erase. */
export const ErasureBody = Type.Object(
  {
    fields: Type.Array(ErasableFieldName, {
      minItems: 1,
      maxItems: ERASABLE_FIELDS.length,
      uniqueItems: true,
      description: 'What is erased: each a field that the decision was recorded with.',
    }),
    reason: Type.String({
      minLength: 1,
      maxLength: 1000,
      description:
        'Kept for good and disclosed in evidence bundles: it must not repeat what is erased.',
    }),
  },
  { additionalProperties: false },
);
export type ErasureBody = Static<typeof ErasureBody>;

/** The answer to it. */
export const Erasure = Type.Object({
  decision_id: Id('dec'),
  erased_fields: Type.Array(ErasableFieldName, {
    description: 'All fields of the decision that are erased, now or before.',
  }),
  activity_seq: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: 'Place of the record in the chain of activity. Left out where all were erased.',
    }),
  ),
});
export type Erasure = Static<typeof Erasure>;

/** The data of the record `decision.field_erased` in the chain of activity. */
export const ErasureRecord = Type.Object({
  fields: Type.Array(ErasableFieldName),
  reason: Type.String(),
});
export type ErasureRecord = Static<typeof ErasureRecord>;
