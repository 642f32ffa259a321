import { type DayRange, formatRange } from './range.ts';

/** What selects the content of a page: a range of days, and other filters by their names. */
export type Scope = DayRange & { readonly [filter: string]: string | number | undefined };

/**
 * The scope in words, such as "Q2 2026, agent refund-bot".
 * @param locale BCP 47; default: the reader's
 */
export function formatScope({ from, to, ...filters }: Scope, locale?: string): string {
  const named = Object.entries(filters).filter(([, value]) => value !== undefined);
  const words = named.map(([name, value]) => `${name} ${value}`);
  return [formatRange({ from, to }, locale), ...words].join(', ');
}
