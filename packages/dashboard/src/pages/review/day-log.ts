import { isDecimal, sumOf } from '../../format/decimal.ts';
import type { Step } from './answers.ts';

/** What a person answered today in this browser. */
export interface DayLog {
  /** YYYY-MM-DD, by the clock of the reader. */
  readonly day: string;
  readonly steps: readonly Step[];
}

/** Whose answers they are. */
export interface LogOwner {
  readonly ledgerId: string;
  readonly person: string;
}

/** The stored log; an empty one if there is none of this day. */
export function readDayLog(storage: Storage, owner: LogOwner, day: string): DayLog {
  const empty = { day, steps: [] };
  try {
    const value: unknown = JSON.parse(storage.getItem(nameOf(owner)) ?? 'null');
    if (typeof value !== 'object' || value === null) return empty;
    const steps: unknown = Reflect.get(value, 'steps');
    if (Reflect.get(value, 'day') !== day || !Array.isArray(steps)) return empty;
    return { day, steps: steps.filter(isStep) };
  } catch {
    return empty;
  }
}

export function writeDayLog(storage: Storage, owner: LogOwner, log: DayLog): void {
  storage.setItem(nameOf(owner), JSON.stringify(log));
}

export interface Tally {
  /** Events whose cause, or its absence, was named. */
  readonly decided: number;
  /** Their amounts without sign, by currency. */
  readonly sums: readonly { readonly currency: string; readonly amount: string }[];
}

export function tallyOf(steps: readonly Step[]): Tally {
  const decided = steps.filter(({ kind }) => kind === 'cause' || kind === 'none');
  const currencies = [...new Set(decided.map(({ currency }) => currency))].sort();
  const sums = currencies.map((currency) => ({
    currency,
    amount: sumOf(decided.filter((step) => step.currency === currency).map((step) => step.amount)),
  }));
  return { decided: decided.length, sums };
}

function nameOf({ ledgerId, person }: LogOwner): string {
  return `decision-ledger.reviewed.${ledgerId}.${person}`;
}

function isStep(value: unknown): value is Step {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, eventId, amount, currency, links } = Object.fromEntries(Object.entries(value));
  return (
    ['cause', 'rejected', 'none', 'skipped'].includes(kind) &&
    typeof eventId === 'string' &&
    typeof currency === 'string' &&
    typeof amount === 'string' &&
    isDecimal(amount) &&
    Array.isArray(links) &&
    links.every((link) => typeof link === 'string')
  );
}
