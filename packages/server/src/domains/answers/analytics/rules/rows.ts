import type { AgentFigures, Bucket } from '@decision-ledger/contract/analytics';
import { minorUnits } from '@decision-ledger/contract/currency';
import { Big } from 'big.js';
import {
  apportionTree,
  cellsBy,
  type EventSum,
  LABELS,
  LINK_TYPES,
  type LinkedSum,
  type PathedPart,
  sumAmounts,
  ZERO,
} from './books.js';
import { printAmount, type RoundExposure } from './money.js';
import { type PrintedBooks, printBooks, printCells } from './print-books.js';

/** Sums over decisions. */
export interface Decided {
  readonly decisions: number;
  /** Sum of their confidence. */
  readonly confidence: number;
  /** Decisions with a human in the loop or a reviewer. */
  readonly overseen: number;
  /** Decimal text. */
  readonly exposure: string;
}

/** A sum of allocations in one currency. */
export type MoneySum = Omit<LinkedSum, 'month'>;

/** Key of a row. */
export interface RowKey {
  /** Start of its bucket (ms); null without buckets. */
  readonly start: number | null;
  readonly key: string | null;
}

export type RowDecisions = RowKey & Decided;
export type RowMoney = RowKey & { readonly sums: readonly MoneySum[] };

export interface Both {
  readonly place: RowKey;
  readonly decided?: Decided;
  readonly moved?: RowMoney;
}

const NOTHING_DECIDED: Decided = { decisions: 0, confidence: 0, overseen: 0, exposure: '0' };

/** What rows are printed with. */
export interface Printing {
  /** The base currency. */
  readonly currency: string;
  /** Null if the analysis is limited to some links. */
  readonly events: readonly EventSum[] | null;
  readonly roundExposure: RoundExposure;
  /** Null without buckets. */
  readonly bucket: Bucket | null;
}

/** The figures of a row. */
export type RowFigures = Omit<AgentFigures, 'agent_id'>;

/**
 * The figures of rows that are a partition of the books: the rows of a bucket add up to its row without
 * groups, and all to the profit and loss of the same range. It yields between short steps.
 */
export function* printRows(
  rows: readonly Both[],
  printing: Printing,
): Generator<undefined, RowFigures[]> {
  const { currency, events, bucket, roundExposure } = printing;
  const paths = rows.map(({ place }) => pathOf(place, bucket));
  const sums = rows.flatMap(({ moved }) => moved?.sums ?? []);
  const { rounded, books } = printBooks(currency, sums, events);
  yield;
  const exposures = yield* printExposures(rows, paths, currency, roundExposure);
  const columns = yield* columnsOf(rows, paths, currency, { rounded, books });
  const cell = (name: string, index: number) => columns.get(name)?.[index] ?? ZERO;
  const cellsAt = (index: number) => cellsBy((label, type) => cell(`${label} ${type}`, index));
  const nothing = printCells(
    cellsBy(() => ZERO),
    currency,
  );
  const described: RowFigures[] = [];
  for (const [index, { decided, moved }] of rows.entries()) {
    if (index % STEP === 0) yield;
    const { expected, guessed } =
      moved === undefined ? nothing : printCells(cellsAt(index), currency);
    described.push({
      ...describeDecided(decided ?? NOTHING_DECIDED, exposures?.[index] ?? null),
      ...inShort(expected),
      guessed: inShort(guessed),
      unconverted: unconvertedIn(moved?.sums ?? []).map((own) => ({
        currency: own,
        amount: printAmount(cell(own, index), own),
      })),
    });
  }
  return described;
}

/** Rows between two steps. */
const STEP = 100;

/** The rounded amounts of each label and link type, and those of each currency without a rate, by row. */
function* columnsOf(
  rows: readonly Both[],
  paths: readonly (readonly string[])[],
  currency: string,
  { rounded, books }: PrintedBooks,
): Generator<undefined, Map<string, readonly Big[]>> {
  const columns = new Map<string, readonly Big[]>();
  const columnOf = (wanted: (sum: MoneySum) => Big | null, whole: Big, own: string) => {
    const amounts = rows.map(({ moved }) =>
      moved === undefined ? ZERO : sumAmounts(moved.sums.flatMap((sum) => wanted(sum) ?? [])),
    );
    return spread(amounts, paths, whole, own);
  };
  for (const label of LABELS) {
    for (const type of LINK_TYPES) {
      yield;
      const wanted = (sum: MoneySum) =>
        sum.label === label && sum.link_type === type && sum.amount !== null
          ? new Big(sum.amount)
          : null;
      columns.set(`${label} ${type}`, columnOf(wanted, rounded.cells[label][type], currency));
    }
  }
  for (const { currency: own, amount } of books.unconverted) {
    yield;
    const wanted = (sum: MoneySum) =>
      sum.currency === own && !sum.is_converted ? new Big(sum.own) : null;
    columns.set(own, columnOf(wanted, new Big(amount), own));
  }
  return columns;
}

type Figures = ReturnType<typeof printCells>['expected'];

const inShort = ({ revenue, losses, net }: Figures) => ({ revenue, losses, net });

function unconvertedIn(sums: readonly MoneySum[]): string[] {
  const currencies = sums.flatMap((sum) => (sum.is_converted ? [] : [sum.currency]));
  return [...new Set(currencies)].sort();
}

/** The groups of a row: its quarter for a month, as in a profit and loss, its bucket and its key. */
function pathOf({ start, key }: RowKey, bucket: Bucket | null): string[] {
  const name = key ?? '';
  if (start === null) return [name];
  if (bucket !== 'month') return [String(start), name];
  const date = new Date(start);
  const quarter = `${date.getUTCFullYear()} ${Math.floor(date.getUTCMonth() / 3)}`;
  return [quarter, String(start), name];
}

/** Rounds the amounts of rows to the minor unit; most are zero. */
function spread(
  amounts: readonly Big[],
  paths: readonly (readonly string[])[],
  whole: Big,
  currency: string,
): Big[] {
  const parts = amounts.flatMap((amount, index): (PathedPart & { index: number })[] =>
    amount === ZERO || amount.eq(ZERO) ? [] : [{ path: paths[index] ?? [], amount, index }],
  );
  const printed = apportionTree(parts, whole, minorUnits(currency));
  const all = amounts.map(() => ZERO);
  for (const [place, { index }] of parts.entries()) all[index] = printed[place] ?? ZERO;
  return all;
}

/** @returns null if the exposures are not in the base currency */
function* printExposures(
  rows: readonly Both[],
  paths: readonly (readonly string[])[],
  currency: string,
  roundExposure: RoundExposure,
): Generator<undefined, string[] | null> {
  const exposures = rows.map(({ decided }) => new Big(decided?.exposure ?? 0));
  const whole = roundExposure(sumAmounts(exposures).toFixed());
  if (whole === null) return null;
  yield;
  return spread(exposures, paths, new Big(whole), currency).map((one) =>
    printAmount(one, currency),
  );
}

function describeDecided(
  { decisions, confidence, overseen }: Decided,
  exposure: string | null,
): Pick<RowFigures, 'decisions' | 'mean_confidence' | 'human_review_share' | 'exposure'> {
  return {
    decisions,
    mean_confidence: share(confidence, decisions),
    human_review_share: share(overseen, decisions),
    exposure,
  };
}

/** Rounded to six digits: the further ones of a binary sum depend on the order of addition. */
function share(part: number, of: number): number | null {
  return of === 0 ? null : Math.min(1, Number((part / of).toFixed(6)));
}

/** Joins rows of the same place, sorted by start, then key. */
export function joinRows(decided: readonly RowDecisions[], moved: readonly RowMoney[]): Both[] {
  const byPlace = new Map<string, Both>();
  for (const row of decided) byPlace.set(nameOf(row), { place: row, decided: row });
  for (const row of moved) {
    byPlace.set(nameOf(row), { place: row, ...byPlace.get(nameOf(row)), moved: row });
  }
  return [...byPlace.values()].sort((a, b) => order(a.place, b.place));
}

function nameOf({ start, key }: RowKey): string {
  return JSON.stringify([start, key]);
}

function order(a: RowKey, b: RowKey): number {
  const byStart = (a.start ?? 0) - (b.start ?? 0);
  return byStart !== 0 ? byStart : (a.key ?? '') < (b.key ?? '') ? -1 : 1;
}
