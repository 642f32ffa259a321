import { choiceOf, type Given, rangeOf, textOf } from '../../app/search-params.ts';
import type { DayRange } from '../../format/range.ts';

export const TABS = ['events', 'links', 'unattributed', 'unconverted', 'connections'] as const;
export type Tab = (typeof TABS)[number];

export const STATUSES = ['CONFIRMED', 'ML_SUGGESTED', 'ML_INFERRED', 'REJECTED'] as const;

/** The search parameters of the page: what it lists, and the event in view. */
export interface MoneySearch extends DayRange {
  readonly tab?: Tab | undefined;
  /** The financial event in view. */
  readonly event?: string | undefined;
  readonly source?: string | undefined;
  readonly type?: string | undefined;
  /** The caller's own reference. */
  readonly reference?: string | undefined;
  /** ISO 4217. */
  readonly currency?: string | undefined;
  /** Of links. */
  readonly status?: (typeof STATUSES)[number] | undefined;
  /** Of links: the id of a decision. */
  readonly decision?: string | undefined;
  /** Of unconverted money: what links take, in place of what they leave. */
  readonly part?: 'linked' | undefined;
}

/** What the content of a tab is given. */
export interface TabProps {
  readonly filters: MoneySearch;
}

export function readMoney(given: Given): MoneySearch {
  return {
    ...rangeOf(given),
    tab: choiceOf(given, 'tab', TABS),
    event: textOf(given, 'event'),
    source: textOf(given, 'source'),
    type: textOf(given, 'type'),
    reference: textOf(given, 'reference'),
    currency: textOf(given, 'currency')?.toUpperCase(),
    status: choiceOf(given, 'status', STATUSES),
    decision: textOf(given, 'decision'),
    part: choiceOf(given, 'part', ['linked']),
  };
}
