import { type Static, Type } from 'typebox';
import {
  Hash,
  Id,
  JsonObject,
  Name,
  NextCursor,
  PageParameters,
  RangeBound,
  RangeParameters,
  Timestamp,
} from './shared.js';

const Text = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

/** A difference between a table and the verified activity chain. */
export const ReconciliationFinding = Type.Object({
  kind: Type.Enum(['missing_row', 'unexpected_row', 'changed_row', 'changed_sum'], {
    description:
      'missing_row: the chain records an object without a row. unexpected_row: no record explains the ' +
      'row. changed_row: a column differs from the records. changed_sum: a derived figure differs from ' +
      'what it is made of.',
  }),
  table: Type.String(),
  key: Type.String({ description: 'The id of the row, or what identifies it in its table.' }),
  column: Text('Null if the finding is about the whole row.'),
  expected: Text('According to the chain, as JSON; the SHA-256 of a long or secret value.'),
  actual: Text('In the table, in the same form.'),
});
export type ReconciliationFinding = Static<typeof ReconciliationFinding>;

/** The comparison of the tables of a ledger with its verified activity chain. */
export const Reconciliation = Type.Object({
  is_reconciled: Type.Boolean({ description: 'Whether there is no finding.' }),
  activity_seq: Type.Integer({
    description: 'The end of the activity chain when the comparison began.',
  }),
  rows_checked: Type.Integer(),
  findings_count: Type.Integer({ description: 'All findings, also those that are not listed.' }),
  findings: Type.Array(ReconciliationFinding, { description: 'The first 100.' }),
  unproven: Type.Array(
    Type.Object({ table: Type.String(), column: Type.String(), rows: Type.Integer() }),
    { description: 'Columns of rows that nothing proves: neither right nor wrong.' },
  ),
  skipped: Type.Array(
    Type.Object({ table: Type.String(), rows: Type.Integer(), reason: Type.String() }),
    { description: 'Rows that cannot be compared at present.' },
  ),
});
export type Reconciliation = Static<typeof Reconciliation>;

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
    read_from: Type.Enum(['primary', 'replica'], {
      description:
        'The database server whose records were checked. A break that a replica shows is looked for on the primary.',
    }),
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
  Type.Omit(DecisionChainVerification, ['first_broken_link', 'read_from']),
  Type.Null(),
]);

/** The answer to GET /verification: the last verification of each whole chain; null if there was none. */
export const LastVerifications = Type.Object({
  decisions: LastVerification,
  activity: LastVerification,
});
export type LastVerifications = Static<typeof LastVerifications>;

/** One change that evidence depends on: the actor, the action and its subject, in a hash chain. */
export const Activity = Type.Object({
  activity_id: Id('act'),
  seq: Type.Integer({ minimum: 1 }),
  type: Type.String({ description: 'The kind of change, such as key.issued.' }),
  actor: Type.String({
    description:
      'The author: the id of a key, the name and id of a session such as `Ada (ses_…)`, `operator` for ' +
      'the command line, or `engine`.',
  }),
  subject: Type.String({ description: 'The object that was changed.' }),
  data: Type.Optional(JsonObject),
  created_at: Timestamp,
  hash: Hash,
  prev_hash: Hash,
});
export type Activity = Static<typeof Activity>;

export const ActivityPage = Type.Object({
  activity: Type.Array(Activity),
  next_cursor: NextCursor,
});
export type ActivityPage = Static<typeof ActivityPage>;

export const ActivityQuery = Type.Object(
  {
    type: Type.Optional(Name('Only this kind of change.')),
    subject: Type.Optional(Name('Only changes of this subject.')),
    ...RangeParameters,
    ...PageParameters,
  },
  { additionalProperties: false },
);
export type ActivityQuery = Static<typeof ActivityQuery>;
