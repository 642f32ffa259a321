import type { RunningCostQuery, RunningCosts } from '@decision-ledger/contract/running-cost';
import type { Ledger } from '../../../platform/ledger.js';
import { readSettings } from '../../access/settings/index.js';
import {
  type CostScope,
  type CostSum,
  converter,
  sumRunningCosts,
} from '../../judgement/liability/index.js';
import { readConversion, readEstimated } from './consistent.js';
import { ZERO } from './rules/books.js';
import { type Filter, isWhole, readAnalyticsFilter } from './rules/filter.js';
import { printPeriods } from './rules/periods.js';
import { printBooks } from './rules/print-books.js';
import { type MonthCost, printRunningCosts } from './rules/running-cost.js';
import { sumDecided } from './store/exposure.js';
import { sumEvents, sumLinked } from './store/link-allocations.js';

/** All times of decisions. */
const ALWAYS = { start: Date.parse('0001-01-01T00:00:00Z'), end: Date.UTC(10_000, 0) };
/** Months of the years 1 to 9999. */
const MOST_MONTHS = 120_000;

/**
 * What decisions cost to make, beside their net money.
 * @throws LedgerError `validation_error` for an invalid range
 */
export async function readRunningCost(
  ledger: Ledger,
  query: RunningCostQuery,
): Promise<RunningCosts> {
  const filter = readAnalyticsFilter(query);
  const { state, result } = await readEstimated(ledger, async (reader, known) => {
    const { model_prices, exchange_rates } = await readSettings(reader);
    const conversion = await readConversion(reader);
    const [costs, decided, linked, events] = await Promise.all([
      sumRunningCosts(reader, [scopeOf(filter)], model_prices),
      sumDecided(reader, filter, 'month', null, { known, limit: MOST_MONTHS }),
      sumLinked(reader, filter, conversion),
      isWhole(filter) ? sumEvents(reader, filter, conversion) : null,
    ]);
    return { costs, decided, linked, events, currency: conversion.base, exchange_rates };
  });
  const { currency, linked, events, decided, costs, exchange_rates } = result;
  const { rounded, books } = printBooks(currency, linked, events);
  const { by_month } = printPeriods(linked, rounded, []);
  const nets = {
    total: books.expected.net,
    byMonth: new Map(by_month.map(({ key, expected }) => [key, expected.net])),
  };
  const counts = new Map(decided.map(({ start, decisions }) => [monthOf(start ?? 0), decisions]));
  const printed = printRunningCosts(
    currency,
    monthsOf(costs, converter(currency, exchange_rates)),
    counts,
    nets,
  );
  return { currency, as_of: state.as_of, activity_seq: state.activity_seq, ...printed };
}

function scopeOf({ agentId, actionType, start, end }: Filter): CostScope {
  return {
    agentId: agentId ?? null,
    actionType: actionType ?? null,
    start: start ?? ALWAYS.start,
    end: end ?? ALWAYS.end,
  };
}

const monthOf = (ms: number): string => new Date(ms).toISOString().slice(0, 7);

function monthsOf(
  sums: readonly CostSum[],
  convert: ReturnType<typeof converter>,
): readonly MonthCost[] {
  const months = new Map<string, MonthCost>();
  for (const { at, currency, amount, decisions } of sums) {
    const month = monthOf(at);
    const before = months.get(month) ?? {
      ...{ month, cost: ZERO, costed: 0, unpriced: 0, unconverted: 0 },
    };
    const { cost, costed, unpriced, unconverted } = before;
    const own = amount === null ? null : convert(amount, currency, at);
    if (amount === null) months.set(month, { ...before, unpriced: unpriced + decisions });
    else if (own === null) months.set(month, { ...before, unconverted: unconverted + decisions });
    else months.set(month, { ...before, cost: cost.plus(own), costed: costed + decisions });
  }
  return [...months.values()].sort((a, b) => (a.month < b.month ? -1 : 1));
}
