import { type Static, Type } from 'typebox';
import { Id } from './shared.js';

/** Fields of a decision that can be erased, in the order in which they are listed. */
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
      description: 'Fields to erase. The decision must have been recorded with each of them.',
    }),
    reason: Type.String({
      minLength: 1,
      maxLength: 1000,
      description:
        'Kept permanently and disclosed in evidence bundles: do not repeat the erased data.',
    }),
  },
  { additionalProperties: false },
);
export type ErasureBody = Static<typeof ErasureBody>;

/** The answer to POST /decisions/{id}/erase. */
export const Erasure = Type.Object({
  decision_id: Id('dec'),
  erased_fields: Type.Array(ErasableFieldName, {
    description: 'All erased fields of the decision, including earlier erasures.',
  }),
  activity_seq: Type.Optional(
    Type.Integer({
      minimum: 1,
      description:
        'Position of the record in the activity chain. Absent if all fields were already erased.',
    }),
  ),
});
export type Erasure = Static<typeof Erasure>;

/** The data of the activity record `decision.field_erased`. */
export const ErasureRecord = Type.Object({
  fields: Type.Array(ErasableFieldName),
  reason: Type.String(),
});
export type ErasureRecord = Static<typeof ErasureRecord>;
