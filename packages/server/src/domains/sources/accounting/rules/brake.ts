import type { BrakeReason, WithheldSum } from '@decision-ledger/contract/accounting';
import { Big } from 'big.js';
import type { Plan } from './plan.js';

/** The events of a connection that count, of one month and currency. */
export interface LiveMonth {
  /** YYYY-MM, UTC. */
  readonly month: string;
  readonly currency: string;
  readonly events: number;
  /** Decimal text: the sum, and the sum without signs. */
  readonly net: string;
  readonly gross: string;
}

/** An event that a plan deletes or changes. */
export interface Affected {
  readonly amount: string;
  readonly currency: string;
  /** RFC 3339, UTC. */
  readonly timestamp: string;
  /** Whether a person made or confirmed a link of it. */
  readonly isConfirmed: boolean;
}

export interface Brake {
  /** Empty if the plan may be applied at once. */
  readonly reasons: readonly BrakeReason[];
  readonly confirmed: number;
  /** Months that would have no event left. */
  readonly months: readonly string[];
  readonly sums: readonly WithheldSum[];
}

/** A plan may delete fewer than these, whatever part of all they are. */
const FEW = 3;
/** A plan may delete or change one part in this many. */
const PART = 10;

/**
 * Judges whether a plan looks like an accident of the books. New and returning records never do.
 * @param affected what the plan deletes or changes, by UUID of the event; an event that a person deleted is not there
 */
export function judgePlan(
  plan: Pick<Plan, 'gone' | 'changed' | 'created' | 'revived'>,
  live: readonly LiveMonth[],
  affected: ReadonlyMap<string, Affected>,
): Brake {
  const gone = plan.gone.flatMap(({ eventId }) => affected.get(eventId) ?? []);
  const all = live.reduce((sum, { events }) => sum + events, 0);
  const isMany = gone.length >= FEW && gone.length * PART > all;
  const confirmed = gone.filter(({ isConfirmed }) => isConfirmed).length;
  const months = emptied(plan, live, gone);
  const sums = sumsOf(plan, live, gone, affected);
  const reasons: BrakeReason[] = [];
  if (isMany) reasons.push('deletions');
  if (months.length > 0) reasons.push('month');
  if (confirmed > 0) reasons.push('confirmed');
  if (sums.some(({ isLarge }) => isLarge)) reasons.push('sums');
  return {
    ...{ reasons, confirmed, months },
    sums: sums.map(({ currency, before, after }) => ({ currency, before, after })),
  };
}

const monthOf = ({ timestamp }: { readonly timestamp: string }) => timestamp.slice(0, 7);

/** Months that the plan deletes whole, and puts nothing in. */
function emptied(
  { created, changed, revived }: Pick<Plan, 'created' | 'changed' | 'revived'>,
  live: readonly LiveMonth[],
  gone: readonly Affected[],
): string[] {
  const left = new Map<string, number>();
  for (const { month, events } of live) left.set(month, (left.get(month) ?? 0) + events);
  for (const one of gone) left.set(monthOf(one), (left.get(monthOf(one)) ?? 0) - 1);
  const filled = new Set(
    [...created, ...changed, ...revived].flatMap(({ record: { event } }) =>
      event === null ? [] : monthOf(event),
    ),
  );
  const months = new Set(gone.map(monthOf));
  return [...months].filter((month) => (left.get(month) ?? 0) <= 0 && !filled.has(month)).sort();
}

/** The sums of each currency whose sum the plan changes, and whether it changes more than a part of all that moved. */
function sumsOf(
  { changed }: Pick<Plan, 'changed'>,
  live: readonly LiveMonth[],
  gone: readonly Affected[],
  affected: ReadonlyMap<string, Affected>,
): (WithheldSum & { readonly isLarge: boolean })[] {
  const totals = new Map<string, Total>();
  const of = (currency: string) => {
    const total = totals.get(currency) ?? new Total();
    totals.set(currency, total);
    return total;
  };
  for (const { currency, net, gross } of live) of(currency).count(net, gross);
  for (const { amount, currency } of gone) of(currency).change(amount, '0', gone.length >= FEW);
  for (const { former, record } of changed) {
    const before = affected.get(former.eventId);
    if (before === undefined || record.event === null) continue;
    const { amount, currency } = record.event;
    if (currency === before.currency) of(currency).change(before.amount, amount, true);
    else {
      of(before.currency).change(before.amount, '0', true);
      of(currency).change('0', amount, true);
    }
  }
  return Array.from(totals, ([currency, total]) => ({ currency, ...total.result() }))
    .filter(({ before, after, isLarge }) => before !== after || isLarge)
    .sort((one, other) => (one.currency < other.currency ? -1 : 1));
}

/** The sum of a currency, exactly. */
class Total {
  #before = new Big(0);
  #gross = new Big(0);
  #difference = new Big(0);
  #moved = new Big(0);

  count(net: string, gross: string): void {
    this.#before = this.#before.plus(net);
    this.#gross = this.#gross.plus(gross);
  }

  /** @param isJudged whether it counts against the limit */
  change(from: string, to: string, isJudged: boolean): void {
    const difference = new Big(to).minus(from);
    this.#difference = this.#difference.plus(difference);
    if (isJudged) this.#moved = this.#moved.plus(difference.abs());
  }

  result() {
    return {
      before: this.#before.toFixed(),
      after: this.#before.plus(this.#difference).toFixed(),
      isLarge: this.#moved.times(PART).gt(this.#gross),
    };
  }
}
