import type { Locator, Page } from 'playwright-core';

/** The tables in view, by name, and how many buttons for its CSV file each has. The legend of a drawing is none. */
const TABLES = `[...document.querySelectorAll('table')]
  .filter((table) => table.checkVisibility() && table.closest('[role=img]') === null)
  .map((table) => {
    const name = table.getAttribute('aria-label') ?? 'a table without a name';
    const label = CSS.escape('Download CSV: ' + name);
    return { name, buttons: document.querySelectorAll('button[aria-label=' + label + ']').length };
  })`;

/** All that is read: text, drawings, choices and fields, and what a chart is called. */
const TEXTS = `[
  document.body.innerText,
  ...[...document.querySelectorAll('svg text, option')].map((one) => one.textContent),
  ...[...document.querySelectorAll('[role=img]')].map((one) => one.getAttribute('aria-label')),
].join('\\n')`;

export interface ShownTable {
  readonly name: string;
  readonly buttons: number;
}

export function tablesOn(page: Page): Promise<ShownTable[]> {
  return page.evaluate<ShownTable[]>(TABLES);
}

export interface ShownMoney {
  readonly text: string;
  readonly currency: string;
  /** Digits after the point. */
  readonly digits: number;
}

const AMOUNT = String.raw`[\d,]*\d(?:\.(?<digits>\d+))?`;
const SPACE = '[ \u00a0\u202f]';
/** With the currency before it, or after it: what one unit of another currency is worth is no amount. */
const MONEY = [
  new RegExp(`\\b(?<currency>[A-Z]{3})${SPACE}?[-−]?${AMOUNT}`, 'gu'),
  new RegExp(`(?<![\\d.,]|= |at )${AMOUNT}${SPACE}(?<currency>[A-Z]{3})\\b`, 'gu'),
];
const CURRENCIES = new Set(Intl.supportedValuesOf('currency'));

/** The money that the page says, in any of its texts. */
export async function moneyOn(page: Page): Promise<ShownMoney[]> {
  const text = await page.evaluate<string>(TEXTS);
  return MONEY.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(({ 0: found, groups }) => ({
      ...{ text: found, currency: groups?.currency ?? '', digits: groups?.digits?.length ?? 0 },
    })),
  ).filter(({ currency }) => CURRENCIES.has(currency));
}

export function minorDigitsOf(currency: string): number {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return format.resolvedOptions().maximumFractionDigits ?? 2;
}

/** What a search of a form has found, without what was offered before it was answered. */
export const foundIn = (form: Locator): Locator => form.getByRole('radiogroup', { name: 'Found' });
