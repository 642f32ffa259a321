import type { Group } from '@decision-ledger/contract/analytics';
import { minorUnits } from '@decision-ledger/contract/currency';
import type { Big } from 'big.js';
import {
  apportion,
  type Cells,
  cellsBy,
  cellsOf,
  LABELS,
  type LabelledSum,
  LINK_TYPES,
  type RoundedBooks,
  ZERO,
} from './books.js';
import { printCells } from './print-books.js';

/** A sum of allocations of one group. */
export interface GroupSum extends LabelledSum {
  /** Null: the money of the group has no name. */
  readonly key: string | null;
  /** Whether the sum is of all groups that are not listed; the key is null then. */
  readonly is_rest: boolean;
}

type Figures = Omit<Group, 'key'>;

interface Groups {
  readonly listed: readonly (Figures & { readonly key: string | null })[];
  readonly rest: Figures | null;
}

/** The cells of a group with its key. */
export interface KeyedCells<Key> {
  readonly key: Key;
  readonly cells: Cells<Big>;
}

/** Figures of groups that are a partition of rounded books: each column adds up to its figure. */
export function printGroups(sums: readonly GroupSum[], books: RoundedBooks): Groups {
  const rows = sums.filter(({ amount }) => amount !== null);
  const keyed = groupBy(rows, ({ key, is_rest }) => JSON.stringify([is_rest, key]));
  const groups = [...keyed.values()].map((own) => ({
    key: { name: own[0]?.key ?? null, isRest: own[0]?.is_rest ?? false },
    cells: cellsOf(own),
  }));
  groups.sort((a, b) => compare(a.key.name, b.key.name));
  const printed = roundGroups(groups, books.cells, books.currency).map(({ key, cells }) => ({
    ...key,
    figures: printCells(cells, books.currency),
  }));
  const listed = printed.filter(({ isRest }) => !isRest);
  return {
    listed: listed.map(({ name, figures }) => ({ key: name, ...figures })),
    rest: printed.find(({ isRest }) => isRest)?.figures ?? null,
  };
}

/** By key; null is last. */
function compare(a: string | null, b: string | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return a < b ? -1 : Number(a > b);
}

export function groupBy<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group === undefined) groups.set(keyOf(row), [row]);
    else group.push(row);
  }
  return groups;
}

/** Rounds each column of cells so that it adds up to the rounded cell of all groups together. */
export function roundGroups<Key>(
  groups: readonly KeyedCells<Key>[],
  whole: Cells<Big>,
  currency: string,
): KeyedCells<Key>[] {
  const digits = minorUnits(currency);
  const columns = new Map(
    LABELS.flatMap((label) =>
      LINK_TYPES.map((type) => {
        const column = groups.map(({ cells }) => cells[label][type]);
        return [`${label} ${type}`, apportion(column, whole[label][type], digits)] as const;
      }),
    ),
  );
  return groups.map(({ key }, index) => ({
    key,
    cells: cellsBy((label, type) => columns.get(`${label} ${type}`)?.[index] ?? ZERO),
  }));
}
