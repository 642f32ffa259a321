import { add, apportion, type Decimal, print, roundHalfEven, sumOf, ZERO } from './decimal.js';
import {
  type About,
  type CurrencyFigures,
  type EstimateRow,
  type Figures,
  LABELS,
  type Label,
  LINK_TYPES,
  type LinkType,
  type MoneyRow,
} from './document.js';

/** A figure, and the sum of its rows as the service prints it. */
export interface Compared {
  readonly figure: string;
  readonly stated: string;
  /** Null if the rows make no such figure. */
  readonly sum: string | null;
}

const NAMES = {
  revenue: 'revenue',
  saving: 'savings',
  cost: 'costs',
  refund: 'refunds',
  loss: 'losses',
} as const satisfies Readonly<Record<LinkType, keyof Figures>>;

/** The sums of the rows of a statement. */
export class Sums {
  /** In the base currency, by label and link type. */
  readonly #cells = new Map<string, Decimal>();
  /** In the currency of the events, by currency and label, or `unconverted`. */
  readonly #own = new Map<string, Map<string, Decimal>>();
  #exposure = ZERO;
  #realised = ZERO;
  #decisions = 0;

  addMoney({ label, linkType, currency, amount, converted }: MoneyRow): void {
    const own = this.#own.get(currency) ?? new Map<string, Decimal>();
    this.#own.set(currency, own);
    addTo(own, converted === null ? 'unconverted' : label, amount);
    if (converted !== null) addTo(this.#cells, `${label} ${linkType}`, converted);
  }

  addEstimate({ exposure, realised }: EstimateRow): void {
    this.#exposure = add(this.#exposure, exposure ?? ZERO);
    this.#realised = add(this.#realised, realised ?? ZERO);
    this.#decisions++;
  }

  /** Every figure against the sum of its rows. */
  *compare(about: About): Generator<Compared> {
    yield* this.#money(about);
    yield* this.#currencies(about);
    const { exposure, digits } = about;
    const rounded = (sum: Decimal) => print(roundHalfEven(sum, digits));
    yield one('exposure.expected', exposure.expected, rounded(this.#exposure));
    yield one('exposure.realised', exposure.realised, rounded(this.#realised));
    yield one('exposure.decisions', String(exposure.decisions), String(this.#decisions));
  }

  /**
   * The total is rounded half to even; the nets of the labels are rounded to add up to it, and the types
   * of a label to its net.
   */
  *#money({ money, digits }: About): Generator<Compared> {
    const exact = LABELS.map((label) =>
      LINK_TYPES.map((type) => this.#cells.get(`${label} ${type}`) ?? ZERO),
    );
    const nets = exact.map(sumOf);
    const printed = apportion(nets, roundHalfEven(sumOf(nets), digits), digits);
    const cells = exact.map((types, at) => {
      const net = printed?.[at];
      return net === undefined ? null : apportion(types, net, digits);
    });
    for (const [at, label] of LABELS.entries()) {
      yield* figuresOf(label, money[label], cells[at] ?? null);
    }
    const [confirmed, matched] = cells;
    const expected =
      confirmed == null || matched == null
        ? null
        : confirmed.map((cell, at) => add(cell, matched[at] ?? ZERO));
    yield* figuresOf('expected', money.expected, expected);
  }

  *#currencies({ byCurrency }: About): Generator<Compared> {
    const stated = new Map(byCurrency.map((figures) => [figures.currency, figures]));
    for (const currency of this.#own.keys()) {
      if (!stated.has(currency))
        yield { figure: `by_currency.${currency}`, stated: 'absent', sum: 'a sum' };
    }
    for (const figures of byCurrency) yield* this.#ofCurrency(figures);
  }

  *#ofCurrency(figures: CurrencyFigures): Generator<Compared> {
    const { currency, digits } = figures;
    const own = this.#own.get(currency);
    const names = [...LABELS, 'unconverted'] as const;
    const sums = names.map((name) => own?.get(name) ?? ZERO);
    const printed = apportion(sums, roundHalfEven(sumOf(sums), digits), digits);
    for (const [at, name] of names.entries()) {
      const sum = printed?.[at];
      const text = sum === undefined ? null : print(sum);
      yield one(`by_currency.${currency}.${name}`, figures[name], text);
    }
  }
}

function* figuresOf(
  label: Label | 'expected',
  stated: Figures,
  cells: readonly Decimal[] | null,
): Generator<Compared> {
  for (const [at, type] of LINK_TYPES.entries()) {
    const cell = cells?.[at];
    const name = NAMES[type];
    yield one(`${label}.${name}`, stated[name], cell === undefined ? null : print(cell));
  }
  yield one(`${label}.net`, stated.net, cells === null ? null : print(sumOf(cells)));
}

const one = (figure: string, stated: string, sum: string | null): Compared => ({
  figure,
  stated,
  sum,
});

function addTo(sums: Map<string, Decimal>, name: string, amount: Decimal): void {
  sums.set(name, add(sums.get(name) ?? ZERO, amount));
}
