import { type Static, Type } from 'typebox';
import { RangeBound, Timestamp } from './shared.js';

const Value = Type.Union([Type.String(), Type.Number(), Type.Null()]);

/** Where a chain breaks first. `detail` names the column or the payload field, where one is meant. */
const brokenLink = <Key extends 'decision_id' | 'activity_id'>(key: Key) =>
  Type.Object({
    seq: Type.Integer(),
    [key]: Type.Union([Type.String(), Type.Null()]),
    kind: Type.Enum(['content', 'commitment', 'column', 'link', 'gap', 'head']),
    expected: Value,
    actual: Value,
    detail: Type.Optional(Type.String()),
  });

const verification = <Key extends 'decision_id' | 'activity_id'>(key: Key) =>
  Type.Object({
    is_valid: Type.Boolean(),
    records_checked: Type.Integer(),
    first_broken_link: Type.Union([brokenLink(key), Type.Null()]),
    verification_timestamp: Timestamp,
    erased_fields: Type.Integer(),
    head: Type.Object(
      { seq: Type.Integer(), hash: Type.String() },
      {
        description:
          'The end of the run that was checked: an anchor for expect_seq and expect_hash.',
      },
    ),
  });

export const DecisionChainVerification = verification('decision_id');
export const ActivityChainVerification = verification('activity_id');

/** The query of the two chain verifications. */
export const ChainVerificationQuery = Type.Object(
  {
    start_date: Type.Optional(RangeBound),
    end_date: Type.Optional(RangeBound),
    expect_seq: Type.Optional(
      Type.Integer({ minimum: 1, description: 'With expect_hash: a record known from a receipt.' }),
    ),
    expect_hash: Type.Optional(Type.String({ pattern: '^[0-9a-f]{64}$' })),
  },
  { additionalProperties: false },
);
export type ChainVerificationQuery = Static<typeof ChainVerificationQuery>;
