import type { PnlRow, PnlRows, RowsQuery } from '@decision-ledger/contract/analytics-rows';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { Big } from 'big.js';
import { uuidToId } from '../../../platform/ids.js';
import type { Ledger, LedgerReader } from '../../../platform/ledger.js';
import { type PageRows, pageOf, type Slice, type SortKey } from '../../../platform/page.js';
import { readConsistent, type State } from './consistent.js';
import { readConversion } from './conversion.js';
import { partsOf, TOTAL } from './rules/figure.js';
import { readAnalyticsFilter } from './rules/filter.js';
import type { MoneySettings } from './store/conditions.js';
import {
  LAST,
  type PartFilter,
  type PartRow,
  type RowPosition,
  selectPartRows,
  sumRows,
} from './store/select-rows.js';

export interface ListedPnlRow {
  readonly row: PnlRow;
  readonly position: RowPosition;
}

/** A page of rows, with the base currency, the state that it shows and, on the first one, the sum. */
export interface RowsPage extends PageRows<ListedPnlRow> {
  readonly figure: string;
  readonly currency: string;
  readonly state: State;
  readonly sum: PnlRows['sum'];
}

/**
 * The parts of events that a figure of the profit and loss counts.
 * @throws LedgerError `validation_error` for an invalid range, or a figure that has no such rows
 */
export async function listRows(
  ledger: Ledger,
  query: RowsQuery,
  { after, limit }: Slice<RowPosition>,
): Promise<RowsPage> {
  const { customer, currency } = query;
  const filter = { ...readAnalyticsFilter(query), parts: partsOf(query), customer, currency };
  const { state, result } = await readConsistent(ledger, async (reader) => {
    const conversion = await readConversion(reader);
    const [found, sum] = await Promise.all([
      selectPartRows(reader, filter, conversion, { after, limit: limit + 1 }),
      after === null ? readSum(reader, filter, conversion) : null,
    ]);
    return { found, sum, currency: conversion.base };
  });
  const { rows, hasMore } = pageOf(result.found, limit);
  const listed = rows.map((row) => ({ row: describe(row), position: positionOf(row) }));
  const { figure = TOTAL } = query;
  return { rows: listed, hasMore, figure, currency: result.currency, sum: result.sum, state };
}

async function readSum(
  ledger: LedgerReader,
  filter: PartFilter,
  conversion: MoneySettings,
): Promise<PnlRows['sum']> {
  const sums = await sumRows(ledger, filter, conversion);
  const converted = sums.reduce((total, { amount }) => total.plus(amount ?? 0), new Big(0));
  return {
    rows: sums.reduce((total, { rows }) => total + rows, 0),
    converted: converted.toFixed(),
    by_currency: sums.map(({ currency, own }) => ({ currency, amount: own })),
  };
}

function describe({ event_id, link_id, decision_id, timestamp, ...row }: PartRow): PnlRow {
  return {
    financial_event_id: uuidToId('evt', event_id),
    ...row,
    timestamp: formatTimestamp(timestamp),
    link_id: link_id === null ? null : uuidToId('lnk', link_id),
    decision_id: decision_id === null ? null : uuidToId('dec', decision_id),
  };
}

function positionOf({ timestamp, event_id, link_id }: PartRow): RowPosition {
  return { timestamp, eventId: event_id, linkId: link_id ?? LAST };
}

export const byPart: SortKey<RowPosition> = {
  write: ({ timestamp, eventId, linkId }) => [String(timestamp), eventId, linkId],
  read: ([timestamp, eventId = '', linkId = '']) => ({
    timestamp: Number(timestamp),
    eventId,
    linkId,
  }),
};
