import type {
  Cause,
  CauseRecord,
  Counted,
  Explanation,
  MonthBooks,
  Reason,
} from '@decision-ledger/contract/analytics-months';
import { minorUnits } from '@decision-ledger/contract/currency';
import { Big } from 'big.js';
import { sumAmounts, ZERO } from './books.js';
import { figuresOf, ownCurrencyOf } from './restate.js';

/** A change of what an event counts with. */
export interface MoneyChange extends Cause {
  /** Into the base currency, decimal text; null if there is none. */
  readonly rate: string | null;
}

/** Amounts by the names of figures. */
type Amounts = Map<string, Big>;

/** The names of figures by link type. */
const NAMES = {
  revenue: 'revenue',
  saving: 'savings',
  cost: 'costs',
  refund: 'refunds',
  loss: 'losses',
} as const;

/** Causes that are listed, and those that are kept while more are read. */
const MOST = 20;
const KEPT = 1000;

/** Adds up why the figures of a month changed. */
export class Reasons {
  readonly #byType = new Map<string, { changes: number; figures: Amounts }>();
  #largest: { readonly cause: Cause; readonly weight: Big }[] = [];
  #changes = 0;

  add({ rate, ...cause }: MoneyChange): void {
    const figures: Amounts = new Map();
    addFigures(figures, cause.after, { ...cause, rate }, 1);
    addFigures(figures, cause.before, { ...cause, rate }, -1);
    const moved = [...figures].filter(([, amount]) => !amount.eq(0));
    if (moved.length === 0) return;
    this.#changes += 1;
    const type = cause.records[0]?.type ?? 'unexplained';
    const reason = this.#byType.get(type) ?? { changes: 0, figures: new Map() };
    reason.changes += 1;
    for (const [figure, amount] of moved) addTo(reason.figures, figure, amount);
    this.#byType.set(type, reason);
    const weight = sumAmounts(moved.map(([, amount]) => amount.abs()));
    this.#largest.push({ cause, weight });
    if (this.#largest.length > KEPT) this.#cut();
  }

  /**
   * @param settings records of settings and rebuilds since the figures were published
   * @param before the figures as published last
   */
  explain(settings: readonly CauseRecord[], before: MonthBooks, after: MonthBooks): Explanation {
    this.#cut();
    const rest = this.#restOf(before, after);
    const type = isRounding(rest, after) ? 'rounding' : (settings.at(-1)?.type ?? 'unexplained');
    const reasons = [...this.#byType].map(([name, { changes, figures }]): Reason => {
      const isRecounted = name === 'financial_event.recounted';
      return reasonOf(name, changes, figures, isRecounted ? settings : []);
    });
    const others = reasonOf(type, 0, rest, type === 'rounding' ? [] : settings);
    return {
      reasons: [...reasons, others]
        .filter(({ figures }) => figures.length > 0)
        .sort((one, other) => (one.type < other.type ? -1 : 1)),
      causes: this.#largest.map(({ cause }) => cause),
      causes_left_out: this.#changes - this.#largest.length,
    };
  }

  #cut(): void {
    this.#largest = this.#largest.sort((one, other) => other.weight.cmp(one.weight)).slice(0, MOST);
  }

  /** What no change of an event explains of the printed figures. Figures in two base currencies are not compared. */
  #restOf(before: MonthBooks, after: MonthBooks): Amounts {
    const rest: Amounts = new Map();
    for (const [figure, amount] of figuresOf(after)) addTo(rest, figure, new Big(amount));
    for (const [figure, amount] of figuresOf(before)) addTo(rest, figure, new Big(amount).neg());
    for (const { figures } of this.#byType.values()) {
      for (const [figure, amount] of figures) addTo(rest, figure, amount.neg());
    }
    if (before.currency !== after.currency) {
      for (const figure of rest.keys()) if (ownCurrencyOf(figure) === null) rest.delete(figure);
      for (const { figures } of this.#byType.values()) {
        for (const figure of figures.keys())
          if (ownCurrencyOf(figure) === null) figures.delete(figure);
      }
    }
    return rest;
  }
}

function reasonOf(
  type: string,
  changes: number,
  amounts: Amounts,
  records: readonly CauseRecord[],
): Reason {
  const figures = [...amounts]
    .filter(([, amount]) => !amount.eq(0))
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([figure, amount]) => ({ figure, amount: amount.toFixed() }));
  return { type, changes, figures, records: [...records] };
}

/** Adds what an event adds to each figure, or takes it away. */
function addFigures(
  figures: Amounts,
  counted: Counted | null,
  { currency, rate }: Pick<MoneyChange, 'currency' | 'rate'>,
  sign: 1 | -1,
): void {
  if (counted === null) return;
  const add = (figure: string, amount: Big) => addTo(figures, figure, amount.times(sign));
  const whole = new Big(counted.counted_amount);
  const taken = sumAmounts(counted.links.map(({ amount }) => new Big(amount)));
  const left = whole.minus(taken);
  add(`by_currency.${currency}.total`, whole);
  if (rate === null) {
    add(`by_currency.${currency}.unconverted`, whole);
    add(`unconverted.${currency}`, taken);
    add(`unattributed_unconverted.${currency}`, left);
    return;
  }
  add('total', whole.times(rate));
  add('unattributed', left.times(rate));
  add(`by_currency.${currency}.unattributed`, left);
  for (const { label, link_type, amount } of counted.links) {
    add(`by_currency.${currency}.${label}`, new Big(amount));
    const converted = new Big(amount).times(rate);
    for (const group of label === 'guessed' ? [label] : [label, 'expected']) {
      add(`${group}.${NAMES[link_type]}`, converted);
      add(`${group}.net`, converted);
    }
  }
}

function addTo(amounts: Amounts, figure: string, amount: Big): void {
  amounts.set(figure, (amounts.get(figure) ?? ZERO).plus(amount));
}

/** An expected figure is the sum of two printed amounts, each less than a unit from the exact one, before and after. */
const MOST_UNITS = 4;

function isRounding(rest: Amounts, { currency }: MonthBooks): boolean {
  return [...rest].every(([figure, amount]) => {
    const digits = minorUnits(ownCurrencyOf(figure) ?? currency);
    return amount.abs().times(new Big(10).pow(digits)).lt(MOST_UNITS);
  });
}
