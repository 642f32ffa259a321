import type { RowTable } from './forms.js';
import type { SealedTable } from './sealed-tables.js';

/** What a stored column rests on. */
export type Basis =
  /** Names the row; a wrong one is a missing and an unexpected row. */
  | { readonly by: 'identity' }
  /** A record of the activity chain states it. */
  | { readonly by: 'entry' }
  /** The walk over the decision chain or the activity chain itself checks it. */
  | { readonly by: 'chain' }
  /** It follows from other columns and is computed again. */
  | { readonly by: 'recomputed' }
  /** Evidence or a figure depends on it, and nothing proves it. */
  | { readonly by: 'nothing'; readonly why: string }
  /** Neither evidence nor a figure depends on it. */
  | { readonly by: 'irrelevant'; readonly why: string };

export type Columns = Readonly<Record<string, Basis>>;

const IDENTITY: Basis = { by: 'identity' };

export const provenByChain = (...names: readonly string[]): Columns => all({ by: 'chain' }, names);

export const recomputed = (...names: readonly string[]): Columns =>
  all({ by: 'recomputed' }, names);

export const unproven = (why: string, ...names: readonly string[]): Columns =>
  all({ by: 'nothing', why }, names);

export const irrelevant = (why: string, ...names: readonly string[]): Columns =>
  all({ by: 'irrelevant', why }, names);

export const identity = (...names: readonly string[]): Columns => all(IDENTITY, names);

/** The key of a table of records, and the columns that records state. */
export function recorded({ key, columns }: RowTable): Columns {
  return { ...all({ by: 'entry' }, Object.keys(columns)), ...identity('ledger_id', key) };
}

/** The columns whose digest a nightly record states. */
export function sealed({ columns, position }: SealedTable): Columns {
  return { ...all({ by: 'entry' }, Object.keys(columns)), ...identity('ledger_id', position) };
}

function all(basis: Basis, names: readonly string[]): Columns {
  return Object.fromEntries(names.map((name) => [name, basis]));
}
