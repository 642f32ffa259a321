import { type Static, Type } from 'typebox';
import { Reconciliation } from './reconciliation.js';
import { Hash, RangeBound, Timestamp } from './shared.js';

const Value = Type.Union([Type.String(), Type.Number(), Type.Null()]);

/** The first break of a chain. `detail` names the column or payload field, if there is one. */
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
        description: 'The last record that was checked: an anchor for expect_seq and expect_hash.',
      },
    ),
  });

export const DecisionChainVerification = verification('decision_id');

export const ActivityChainVerification = Type.Object({
  ...verification('activity_id').properties,
  reconciliation: Type.Union([Reconciliation, Type.Null()], {
    description:
      'The tables compared with the chain; null with a range of time, and for a chain that is broken.',
  }),
});

/** The query of the two chain verifications. */
export const ChainVerificationQuery = Type.Object(
  {
    start_date: Type.Optional(RangeBound),
    end_date: Type.Optional(RangeBound),
    expect_seq: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'The seq of a known receipt; required with expect_hash.',
      }),
    ),
    expect_hash: Type.Optional(
      Type.String({ ...Hash, description: 'The hash of that record; required with expect_seq.' }),
    ),
  },
  { additionalProperties: false },
);
export type ChainVerificationQuery = Static<typeof ChainVerificationQuery>;

const LastVerification = Type.Union([
  Type.Omit(DecisionChainVerification, ['first_broken_link']),
  Type.Null(),
]);

/** The answer to GET /verification: the last verification of each whole chain; null if there was none. */
export const LastVerifications = Type.Object({
  decisions: LastVerification,
  activity: LastVerification,
});
export type LastVerifications = Static<typeof LastVerifications>;
