/** How a column of a sealed table is read as text. */
export type SealedForm = 'text' | 'number' | 'decimal' | 'time' | 'date' | 'uuid';

/** A table that is only added to, in the order of one column. A nightly seal states the digest of its new rows. */
export interface SealedTable {
  readonly table: string;
  /** Orders the rows: a row that is added stands after all that a seal covers. */
  readonly position: string;
  /** Orders the rows of one position. */
  readonly order: readonly string[];
  /** All columns but the ledger. */
  readonly columns: Readonly<Record<string, SealedForm>>;
  /** Whether a run that takes long may still add rows to the last two days. */
  readonly isDaily: boolean;
}

export const SEALED_TABLES = {
  liability_snapshots: {
    table: 'liability_snapshots',
    position: 'snapshot_id',
    order: [],
    columns: {
      snapshot_id: 'number',
      version: 'text',
      currency: 'text',
      settings: 'text',
      rates: 'text',
      experience: 'text',
      taken_at: 'time',
    },
    isDaily: false,
  },
  liability_forecasts: {
    table: 'liability_forecasts',
    position: 'month',
    order: [],
    columns: {
      month: 'date',
      made_at: 'time',
      snapshot_id: 'number',
      currency: 'text',
      basis: 'text',
      decisions: 'number',
      expected: 'decimal',
      low90: 'decimal',
      high90: 'decimal',
      var95: 'decimal',
      es95: 'decimal',
    },
    isDaily: false,
  },
  exposure_days: {
    table: 'exposure_days',
    position: 'day',
    order: ['agent_id', 'action_type'],
    columns: {
      day: 'date',
      agent_id: 'text',
      action_type: 'text',
      currency: 'text',
      decisions: 'number',
      exposure: 'decimal',
      realised: 'decimal',
    },
    isDaily: true,
  },
  event_reviews: {
    table: 'event_reviews',
    position: 'seq',
    order: [],
    columns: {
      seq: 'number',
      event_id: 'uuid',
      link_id: 'uuid',
      decision_id: 'uuid',
      kind: 'text',
      verdict: 'text',
      event_type: 'text',
      choice: 'text',
      model_id: 'number',
      created_at: 'time',
    },
    isDaily: false,
  },
} as const satisfies Readonly<Record<string, SealedTable>>;
