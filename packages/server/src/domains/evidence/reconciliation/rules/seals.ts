import { sha256Hex } from '@decision-ledger/proof/hash';
import { type Static, Type } from 'typebox';
import { Check } from 'typebox/value';

const SealedRows = Type.Object({
  /** Position of the last row that an earlier seal covers; null if there is none. */
  after: Type.Union([Type.String(), Type.Null()]),
  /** Position of the last row. */
  until: Type.String(),
  rows: Type.Integer(),
  sha256: Type.String(),
});

/** What a seal states about the new rows of one table. */
export type SealedRows = Static<typeof SealedRows>;

/** The data of a record `reconciliation.sealed`: the tables that have new rows. */
const SealData = Type.Object({ tables: Type.Record(Type.String(), SealedRows) });

/** @returns null if the data are not those of a seal */
export function readSeal(data: unknown): ReadonlyMap<string, SealedRows> | null {
  return Check(SealData, data) ? new Map(Object.entries(data.tables)) : null;
}

/** A row of a sealed table: its columns as texts, in the order of the table's description. */
export interface SealedRow {
  readonly position: string;
  readonly values: readonly (string | null)[];
}

/** Digests rows in their order, whatever their number. */
export class RowsDigest {
  #rows = 0;
  #sha256 = '';

  add(row: SealedRow): void {
    this.#rows += 1;
    this.#sha256 = sha256Hex(JSON.stringify([this.#sha256, ...row.values]));
  }

  get rows(): number {
    return this.#rows;
  }

  get sha256(): string {
    return this.#sha256;
  }
}
