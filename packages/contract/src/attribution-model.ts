import { type Static, Type } from 'typebox';

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
