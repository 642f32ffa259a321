import { sha256Hex } from '@decision-ledger/proof/hash';

/**
 * Columns that never change and that records of former releases do not state. A baseline fixes their
 * values as they were when it was made.
 */
export const FIXED_BY_BASELINE = [
  'api_keys.key_hash',
  'api_keys.permissions',
  'sessions.token_hash',
  'financial_events.origin',
  'links.reversal',
] as const;

export type FixedColumn = (typeof FIXED_BY_BASELINE)[number];

export function isFixed(name: string): name is FixedColumn {
  return FIXED_BY_BASELINE.some((column) => column === name);
}

/** The digest of one column of old rows, in the order of their keys. */
export interface ColumnDigest {
  readonly rows: number;
  readonly sha256: string;
}

/** Adds up columns that no record states, row by row. */
export class UnstatedColumns {
  readonly #columns = new Map<FixedColumn, ColumnDigest>();

  add(column: FixedColumn, key: string, value: string | null): void {
    const before = this.#columns.get(column) ?? { rows: 0, sha256: '' };
    const sha256 = sha256Hex(JSON.stringify([before.sha256, key, value]));
    this.#columns.set(column, { rows: before.rows + 1, sha256 });
  }

  get(column: FixedColumn): ColumnDigest {
    return this.#columns.get(column) ?? { rows: 0, sha256: '' };
  }

  entries(): [FixedColumn, ColumnDigest][] {
    return [...this.#columns];
  }
}
