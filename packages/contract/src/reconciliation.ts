import { type Static, Type } from 'typebox';

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
