/** How a stored column is written in the activity chain. */
export type ColumnForm =
  | 'text'
  | 'decimal'
  | 'number'
  | 'boolean'
  | 'time'
  | 'json'
  | 'list'
  | 'hash'
  | 'digest'
  | `id ${'dec' | 'evt' | 'lnk' | 'key'}`;

/** A table whose rows are records of the activity chain. */
export interface RowTable {
  readonly table: string;
  /** Identifies a row within its ledger. */
  readonly key: string;
  readonly keyType: 'uuid' | 'text';
  /** The prefix of the subject of its records; null if the key itself is the subject. */
  readonly prefix: 'evt' | 'lnk' | 'key' | 'ses' | 'exp' | null;
  /** Which rows have records; null for all. */
  readonly condition: string | null;
  /** The columns that records state. */
  readonly columns: Readonly<Record<string, ColumnForm>>;
}
