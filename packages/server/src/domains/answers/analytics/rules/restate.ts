import type { Books } from '@decision-ledger/contract/analytics-figures';
import type { FigureChange, MonthBooks } from '@decision-ledger/contract/analytics-months';

/** The figures of a month that differ, by name. */
export function figureChanges(before: MonthBooks, after: MonthBooks): FigureChange[] {
  const [old, now] = [namedFigures(before), namedFigures(after)];
  const names = [...new Set([...old.keys(), ...now.keys()])];
  return names.flatMap((figure) => {
    const [was, is] = [old.get(figure) ?? null, now.get(figure) ?? null];
    return was === is ? [] : [{ figure, before: was, after: is }];
  });
}

/** Figures by name, such as `confirmed.revenue` and `by_currency.EUR.total`. */
function namedFigures(books: MonthBooks): Map<string, string> {
  const named = new Map([['currency', books.currency]]);
  for (const [name, amount] of figuresOf(books)) named.set(name, amount);
  return named;
}

/** All figures of books, in order, with their names and the currency of each; null for the base. */
export function figuresOf(
  books: Books,
): [figure: string, amount: string, currency: string | null][] {
  const labels = ['expected', 'confirmed', 'matched', 'guessed'] as const;
  const lists = ['unconverted', 'unattributed_unconverted'] as const;
  return [
    ...labels.flatMap((label) => inBase(label, books[label])),
    ...inBase(null, { unattributed: books.unattributed, total: books.total }),
    ...lists.flatMap((list) =>
      books[list].map(({ currency, amount }): [string, string, string] => [
        `${list}.${currency}`,
        amount,
        currency,
      ]),
    ),
    ...books.by_currency.flatMap(({ currency, ...own }) =>
      inBase(`by_currency.${currency}`, own).map(([name, amount]): [string, string, string] => [
        name,
        amount,
        currency,
      ]),
    ),
  ];
}

/** `by_currency.EUR.total` and `unconverted.EUR` are in the currency that they name. */
const OWN = /^(?:by_currency|unconverted|unattributed_unconverted)\.([A-Z]{3})/;

/** The currency that a figure names; null if it is in the base currency. */
export function ownCurrencyOf(figure: string): string | null {
  return OWN.exec(figure)?.[1] ?? null;
}

function inBase(
  group: string | null,
  figures: Readonly<Record<string, string | null>>,
): [string, string, null][] {
  return Object.entries(figures).flatMap(([name, amount]): [string, string, null][] =>
    amount === null ? [] : [[group === null ? name : `${group}.${name}`, amount, null]],
  );
}
