// Generated from the contract by scripts/client-types.js.

export interface Figures {
  /** Decimal, in the base currency, to its minor unit. */
  readonly revenue: string;
  /** Decimal, in the base currency, to its minor unit. */
  readonly savings: string;
  /** Decimal, in the base currency, to its minor unit. */
  readonly costs: string;
  /** Decimal, in the base currency, to its minor unit. */
  readonly refunds: string;
  /** Decimal, in the base currency, to its minor unit. */
  readonly losses: string;
  /** Decimal, in the base currency, to its minor unit. */
  readonly net: string;
}

export interface Books {
  /** Confirmed and matched money together. */
  readonly expected: Figures;
  /** Links that people made or confirmed. */
  readonly confirmed: Figures;
  /** Suggested links that a transaction-level key or a unique amount supports. */
  readonly matched: Figures;
  /** Other suggested links. No total counts them until they are reviewed. */
  readonly guessed: Figures;
  /** The part of the events in the range that is not linked, with its sign. Null if the analysis is filtered by agent or action type. */
  readonly unattributed: string | null;
  /** All live events that a rate converts: confirmed, matched, guessed and unattributed together. Null if the analysis is filtered by agent or action type. */
  readonly total: string | null;
  /** Linked amounts without an exchange rate on their day; excluded from all totals. */
  readonly unconverted: readonly {
    readonly currency: string;
    readonly amount: string;
  }[];
  /** Unlinked amounts of events without an exchange rate on their day; excluded from unattributed. Empty if the analysis is filtered by agent or action type. */
  readonly unattributed_unconverted: readonly {
    readonly currency: string;
    readonly amount: string;
  }[];
  /** The same parts in the currencies of the events. Unattributed and total are null if the analysis is filtered by agent or action type. */
  readonly by_currency: readonly {
    /** The currency of the events. */
    readonly currency: string;
    /** Decimal, in `currency`, to its minor unit. */
    readonly confirmed: string;
    /** Decimal, in `currency`, to its minor unit. */
    readonly matched: string;
    /** Decimal, in `currency`, to its minor unit. */
    readonly guessed: string;
    readonly unattributed: string | null;
    /** Linked or not: the events without an exchange rate on their day. */
    readonly unconverted: string;
    /** All live events: the sum of the five other amounts. */
    readonly total: string | null;
  }[];
}
