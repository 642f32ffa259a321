import type { SealedTable } from './sealed-tables.js';

/** What a column is, which decides what may happen to it. */
export const COLUMN_KINDS = {
  fact: 'what happened, and what proves it: nothing can make it again',
  published:
    'what somebody was told: it is never made again, and a wrong one counts as a wrong fact',
  derived: 'follows from facts and published values in their order, and can be made again',
  operational: 'the state of the work: positions, leases, due times, deliveries',
} as const;

export type Kind = keyof typeof COLUMN_KINDS;

/** A fact or a published value cannot be made again, so it says what fixes it. */
type Kept = 'fact' | 'published';

/** What shows that a stored value was changed. */
export type Basis =
  /** Names the row; a wrong one is a missing and an unexpected row. */
  | { readonly by: 'identity' }
  /** The walk over the decision chain or the activity chain itself checks it. */
  | { readonly by: 'chain' }
  /** A record of the activity chain states it. */
  | { readonly by: 'entry' }
  /** A signed checkpoint states it, or is verified with it. */
  | { readonly by: 'checkpoint' }
  /** It follows from other columns, is computed again and compared. */
  | { readonly by: 'recomputed' }
  /** Nothing: whoever writes the database can change it unnoticed. */
  | { readonly by: 'claim'; readonly why: string }
  /** Nothing compares it: neither evidence nor a figure depends on it, or what does is compared itself. */
  | { readonly by: 'unchecked'; readonly why: string };

type Fixed = Exclude<Basis['by'], 'claim' | 'unchecked'>;

export interface Column {
  readonly kind: Kind;
  readonly basis: Basis;
}

export type Columns = Readonly<Record<string, Column>>;

export interface Table {
  /** The part of the service that alone writes it: a domain, or a path below the sources. */
  readonly owner: string;
  readonly columns: Columns;
}

export type Tables = Readonly<Record<string, Table>>;

/** Columns that cannot be changed unnoticed. */
export const fixed = (kind: Kept, by: Fixed, ...names: readonly string[]): Columns =>
  all({ kind, basis: { by } }, names);

/** Columns that are taken on trust. */
export const claimed = (kind: Kept, why: string, ...names: readonly string[]): Columns =>
  all({ kind, basis: { by: 'claim', why } }, names);

export const derived = (
  by: 'identity' | 'chain' | 'recomputed',
  ...names: readonly string[]
): Columns => all({ kind: 'derived', basis: { by } }, names);

export const unchecked = (
  kind: 'derived' | 'operational',
  why: string,
  ...names: readonly string[]
): Columns => all({ kind, basis: { by: 'unchecked', why } }, names);

/** The key of a table of records, and the columns that records state. */
export function recorded(kind: Kept, { key, columns }: RowTable): Columns {
  return {
    ...fixed(kind, 'entry', ...Object.keys(columns)),
    ...fixed(kind, 'identity', 'ledger_id', key),
  };
}

/** The columns whose digest a nightly record states. */
export function sealed(kind: Kept, { columns, position }: SealedTable): Columns {
  return {
    ...fixed(kind, 'entry', ...Object.keys(columns)),
    ...fixed(kind, 'identity', 'ledger_id', position),
  };
}

function all(column: Column, names: readonly string[]): Columns {
  return Object.fromEntries(names.map((name) => [name, column]));
}

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
