import { type Static, Type } from 'typebox';
import { Check } from 'typebox/value';

const Digest = Type.Object({ rows: Type.Integer(), sha256: Type.String() });

/** The data of a record `reconciliation.baseline`. */
const BaselineData = Type.Object({
  until_seq: Type.Integer(),
  columns: Type.Record(Type.String(), Digest),
  settings: Type.Union([Type.String(), Type.Null()]),
});
export type BaselineData = Static<typeof BaselineData>;

/** What was fixed for the rows that existed before records stated all of their columns. */
export interface Baseline {
  /** Of its record. */
  readonly seq: number;
  /** Rows made by records up to this one are fixed by it. */
  readonly untilSeq: number;
  readonly columns: BaselineData['columns'];
  /** SHA-256 of the stored settings; null if there were none. */
  readonly settings: string | null;
}

/** @returns null if the data are not those of a baseline */
export function readBaseline(seq: number, data: unknown): Baseline | null {
  if (!Check(BaselineData, data)) return null;
  return { seq, untilSeq: data.until_seq, columns: data.columns, settings: data.settings };
}
