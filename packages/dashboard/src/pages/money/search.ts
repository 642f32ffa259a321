import { type Given, textOf } from '../../app/search-params.ts';

export interface MoneySearch {
  /** The financial event in view. */
  readonly event?: string | undefined;
}

export function readMoney(given: Given): MoneySearch {
  return { event: textOf(given, 'event') };
}
