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
  events: ['source', 'type', 'reference', 'currency', 'from', 'to'],
  links: ['status', 'decision'],
  unattributed: ['currency', 'from', 'to'],
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

export function eventQuery({
  source,
  type,
  reference,
  currency,
  from,
  to,
}: MoneySearch): FinancialEventQuery {
  return present({
    ...{ source, event_type: type, external_id: reference, currency },
    ...{ start: from, end: to },
  });
}

export function linkQuery({ status, decision }: MoneySearch): LinkQuery {
  return present({ status, decision_id: decision });
}

export function rowsQuery({ currency, from, to }: MoneySearch): RowsQuery {
  return present({ currency, start: from, end: to });
}
