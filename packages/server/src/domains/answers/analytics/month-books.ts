import type { MonthBooks } from '@decision-ledger/contract/analytics-months';
import type { LedgerReader } from '../../../platform/ledger.js';
import { readConversion } from './conversion.js';
import { spanOfMonth } from './rules/calendar.js';
import { groupBy } from './rules/groups.js';
import { printBooks } from './rules/print-books.js';
import { sumEvents } from './store/events.js';
import { sumLinked } from './store/link-allocations.js';

/**
 * The current figures of each of some months, as an analysis of that month alone prints them.
 * @param months `2026-04`, in order
 */
export async function readMonths(
  ledger: LedgerReader,
  months: readonly string[],
): Promise<Map<string, MonthBooks>> {
  const [first, last] = [months[0], months.at(-1)];
  if (first === undefined || last === undefined) return new Map();
  const range = { start: spanOfMonth(first).start, end: spanOfMonth(last).end };
  const filter = { ...range, agentId: undefined, actionType: undefined };
  const conversion = await readConversion(ledger);
  const [linked, events] = await Promise.all([
    sumLinked(ledger, filter, conversion),
    sumEvents(ledger, filter, conversion),
  ]);
  const [linkedIn, eventsIn] = [groupBy(linked, monthOf), groupBy(events, monthOf)];
  return new Map(
    months.map((month) => {
      const own = printBooks(conversion.base, linkedIn.get(month) ?? [], eventsIn.get(month) ?? []);
      return [month, { currency: conversion.base, ...own.books }];
    }),
  );
}

const monthOf = ({ month }: { readonly month: string }): string => month;
