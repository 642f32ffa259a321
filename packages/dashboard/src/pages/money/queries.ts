import type { RowsQuery } from '@decision-ledger/client/api/analytics-rows';
import type { FinancialEventQuery } from '@decision-ledger/client/api/financial-event';
import type { LinkQuery } from '@decision-ledger/client/api/link';
import { type MoneySearch, present, type Tab } from '../../app/search-params.ts';

/** What the content of a tab is given. */
export interface TabProps {
  readonly filters: MoneySearch;
}

/** The filters that each list has. */
export const FILTERS = {
  events: [
    ...(['source', 'type', 'reference', 'text', 'customer', 'currency'] as const),
    ...(['amount', 'min', 'max', 'age', 'standing', 'payment', 'from', 'to'] as const),
  ],
  'same-money': [],
  links: ['status', 'decision'],
  unattributed: [
    ...(['source', 'text', 'customer', 'currency'] as const),
    ...(['amount', 'min', 'max', 'age', 'from', 'to'] as const),
  ],
  unconverted: ['currency', 'from', 'to', 'part'],
  connections: [],
} as const satisfies Readonly<Record<Tab, readonly (keyof MoneySearch)[]>>;

/** Those of the filters that the list has: an address may have others. */
export function filtersOf(tab: Tab, search: MoneySearch): MoneySearch {
  const names: readonly string[] = FILTERS[tab];
  return Object.fromEntries(
    Object.entries(search).filter(([name, value]) => names.includes(name) && value !== undefined),
  );
}

export function isFiltered(tab: Tab, { part: _part, ...search }: MoneySearch): boolean {
  return Object.keys(filtersOf(tab, search)).length > 0;
}

const DAY_MS = 86_400_000;

/** @param now ms, from which ages are counted */
export function eventQuery(filters: MoneySearch, now: number): FinancialEventQuery {
  const { type, reference, standing, payment } = filters;
  return present({
    ...{ ...searchOf(filters, now), event_type: type, external_id: reference, standing },
    reverses_unknown: payment === 'unknown' ? true : undefined,
  });
}

/** @param now ms, from which ages are counted */
export function rowsQuery(filters: MoneySearch, now: number): RowsQuery {
  return present(searchOf(filters, now));
}

/** What events, and the rows of a figure, are searched by. */
function searchOf(filters: MoneySearch, now: number) {
  const { source, currency, amount, min, max, text, customer, age, from, to } = filters;
  return {
    ...{ source, currency, amount, min_amount: min, max_amount: max, text },
    ...{ metadata_value: customer, start: from },
    end: earlier(to, age === undefined ? undefined : dayBefore(now, age)),
  };
}

/** The last day of which everything is older than these days. */
function dayBefore(now: number, days: string): string {
  return new Date(now - (Number(days) + 1) * DAY_MS).toISOString().slice(0, 10);
}

function earlier(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one < other ? one : other;
}

export function linkQuery({ status, decision }: MoneySearch): LinkQuery {
  return present({ status, decision_id: decision });
}

/** Whether the list is searched, so that the figure of its days is not its sum. */
export function isSearched({ currency: _currency, from: _from, to: _to, ...search }: MoneySearch) {
  return isFiltered('unattributed', search);
}
