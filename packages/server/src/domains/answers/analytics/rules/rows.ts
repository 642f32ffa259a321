import type { AgentFigures } from '@decision-ledger/contract/analytics';
import { byCurrency, type Round, type RoundExposure } from './money.js';

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

/** Decimal text in the base currency. */
interface Sums {
  readonly revenue: string;
  readonly losses: string;
  readonly net: string;
}

/** Sums of allocations. */
export interface Moves {
  /** Confirmed and matched. */
  readonly counted: Sums;
  readonly guessed: Sums;
  /** Sums that no rate converts, with their currency. */
  readonly unconverted: readonly (readonly [currency: string, amount: string])[];
}

/** Key of a row. */
export interface Place {
  /** Start of its bucket (ms); null without buckets. */
  readonly start: number | null;
  readonly key: string | null;
}

export type DecidedRow = Place & Decided;
export type MoneyRow = Place & Moves;

const NOTHING_DECIDED: Decided = { decisions: 0, confidence: 0, overseen: 0, exposure: '0' };
const NONE: Sums = { revenue: '0', losses: '0', net: '0' };
const NOTHING_MOVED: Moves = { counted: NONE, guessed: NONE, unconverted: [] };

export interface Rounding {
  readonly round: Round;
  readonly roundExposure: RoundExposure;
}

type Described = Omit<AgentFigures, 'agent_id'>;

export function describeRow(
  decided: Decided | undefined,
  moved: Moves | undefined,
  { round, roundExposure }: Rounding,
): Described {
  const { decisions, confidence, overseen, exposure } = decided ?? NOTHING_DECIDED;
  const { counted, guessed, unconverted } = moved ?? NOTHING_MOVED;
  const sums = ({ revenue, losses, net }: Sums) => ({
    revenue: round(revenue),
    losses: round(losses),
    net: round(net),
  });
  return {
    decisions,
    mean_confidence: share(confidence, decisions),
    human_review_share: share(overseen, decisions),
    exposure: roundExposure(exposure),
    ...sums(counted),
    guessed: sums(guessed),
    unconverted: byCurrency(unconverted),
  };
}

/** Rounded to six digits: the further ones of a binary sum depend on the order of addition. */
function share(part: number, of: number): number | null {
  return of === 0 ? null : Math.min(1, Number((part / of).toFixed(6)));
}

export interface Both {
  readonly place: Place;
  readonly decided?: DecidedRow;
  readonly moved?: MoneyRow;
}

/** Joins rows of the same place, sorted by start, then key. */
export function joinRows(decided: readonly DecidedRow[], moved: readonly MoneyRow[]): Both[] {
  const byPlace = new Map<string, Both>();
  for (const row of decided) byPlace.set(nameOf(row), { place: row, decided: row });
  for (const row of moved) {
    byPlace.set(nameOf(row), { place: row, ...byPlace.get(nameOf(row)), moved: row });
  }
  return [...byPlace.values()].sort((a, b) => order(a.place, b.place));
}

function nameOf({ start, key }: Place): string {
  return JSON.stringify([start, key]);
}

function order(a: Place, b: Place): number {
  const byStart = (a.start ?? 0) - (b.start ?? 0);
  return byStart !== 0 ? byStart : (a.key ?? '') < (b.key ?? '') ? -1 : 1;
}
