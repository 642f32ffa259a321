import type { Pnl, PnlQuery } from '@decision-ledger/contract/analytics';
import type { PnlRow, PnlRows, RowsQuery } from '@decision-ledger/contract/analytics-rows';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { Big } from 'big.js';
import type { Clock } from '../../../platform/clock.js';
import { expiringCache } from '../../../platform/expiring-cache.js';
import { uuidToId } from '../../../platform/ids.js';
import type { Ledger, LedgerReader } from '../../../platform/ledger.js';
import { type PageRows, pageOf, type Slice, type SortKey } from '../../../platform/page.js';
import { chancesTable, selectAnsweredTypes } from '../../judgement/attribution/index.js';
import {
  type KnownEstimates,
  readEstimateCurrency,
  withEstimates,
} from '../../judgement/liability/index.js';
import { readEventSearch, searched } from '../../record/financial-events/index.js';
import {
  describeKnown,
  readConsistent,
  readConversion,
  readState,
  type State,
} from './consistent.js';
import { type Filter, isWhole, partsOf, readAnalyticsFilter, TOTAL } from './rules/filter.js';
import type { Unnamed } from './rules/likely-net.js';
import { exposureRounder } from './rules/money.js';
import { buildPnl, type PnlOfMoney, type PnlSums } from './rules/pnl.js';
import { type MoneySettings, sumCustomers } from './store/conditions.js';
import { sumExposure } from './store/exposure.js';
import { sumEvents, sumMoved, sumUncertainty, sumUncounted } from './store/link-allocations.js';
import { selectClosings } from './store/months.js';
import { sumReversals } from './store/reversals.js';
import {
  LAST,
  type PartFilter,
  type PartRow,
  type RowPosition,
  selectPartRows,
  sumRows,
} from './store/select-rows.js';
import { sumUnnamed } from './store/unnamed-money.js';

/**
 * Profit and loss of the money that decisions moved, by the dates of the events.
 * @throws LedgerError `validation_error` for an invalid range
 */
export type ReadPnl = (ledger: Ledger, query: PnlQuery) => Promise<Pnl>;

const KEPT_MS = 600_000;
const KEPT = 100;

interface Cached {
  readonly state: State;
  readonly money: PnlOfMoney;
}

/**
 * All changes of money, rates and settings are recorded in the chain of activity. While its head is the
 * same, cached sums are up to date.
 */
export function pnlReader(clock: Clock): ReadPnl {
  const cache = expiringCache<Cached>(clock, KEPT_MS, KEPT);
  return async (ledger, query) => {
    const filter = readAnalyticsFilter(query);
    const byCustomer = query.group_by === 'customer';
    // Read first, so that the sums are never older than the head in their cache key.
    const { activity_seq, as_of } = await readState(ledger);
    const key = JSON.stringify([ledger.ledgerId, activity_seq, filter, byCustomer]);
    const [{ state, money }, { decisions, exposure, currency, as_of_seq, pending }] =
      await Promise.all([
        cache.get(key, () => readMoney(ledger, filter, byCustomer)),
        withEstimates(ledger, async (reader, known) => ({
          ...(await readExposed(reader, filter, known)),
          ...describeKnown(known),
        })),
      ]);
    // The base currency may have changed since the money was summed.
    const roundExposure = exposureRounder(currency, money.currency);
    return {
      ...money,
      // What has not changed since is as of now.
      as_of: state.activity_seq === activity_seq ? as_of : state.as_of,
      activity_seq: state.activity_seq,
      ...{ as_of_seq, pending },
      expected_liability: roundExposure(exposure),
      decisions,
    };
  };
}

/** @returns the sum with the currency of all estimates; null if they are in several, or became so meanwhile */
async function readExposed(reader: LedgerReader, filter: Filter, known: KnownEstimates) {
  const { base } = await readConversion(reader);
  const before = await readEstimateCurrency(reader, base);
  const sum = await sumExposure(reader, filter, known);
  const after = await readEstimateCurrency(reader, base);
  return { ...sum, currency: before === after ? after : null };
}

async function readMoney(ledger: Ledger, filter: Filter, byCustomer: boolean): Promise<Cached> {
  const { state, result } = await readConsistent(ledger, async (reader) => {
    const conversion = await readConversion(reader);
    return { conversion, sums: await sumAll(reader, filter, conversion, byCustomer) };
  });
  return { state, money: buildPnl(result.conversion.base, result.sums) };
}

/** The sums that a profit and loss is made of. */
export async function sumAll(
  ledger: LedgerReader,
  filter: Filter,
  conversion: MoneySettings,
  byCustomer: boolean,
): Promise<PnlSums> {
  const [moved, events, customers, uncertainty, unnamed, reversals, closings, uncounted] =
    await Promise.all([
      sumMoved(ledger, filter, conversion),
      isWhole(filter) ? sumEvents(ledger, filter, conversion) : null,
      byCustomer ? sumCustomers(ledger, filter, conversion) : null,
      sumUncertainty(ledger, filter, conversion),
      isWhole(filter) ? readUnnamed(ledger, filter, conversion) : null,
      sumReversals(ledger, filter, conversion, chancesTable(ledger.ledgerId)),
      selectClosings(ledger, filter),
      isWhole(filter) ? sumUncounted(ledger, filter) : [],
    ]);
  return {
    linked: moved.filter((sum) => sum.kind === 'month'),
    byAgent: moved.filter((sum) => sum.kind === 'agent'),
    byActionType: moved.filter((sum) => sum.kind === 'action_type'),
    byCustomer: customers,
    ...{ events, uncertainty, unnamed, reversals, closings, uncounted },
  };
}

async function readUnnamed(
  ledger: LedgerReader,
  filter: Filter,
  conversion: MoneySettings,
): Promise<Unnamed> {
  const sums = await sumUnnamed(ledger, filter, conversion, chancesTable(ledger.ledgerId));
  return { sums, answers: await selectAnsweredTypes(ledger) };
}

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
  const filter = {
    ...{ ...readAnalyticsFilter(query), parts: partsOf(query), customer, currency },
    search: searched(ledger.ledgerId, readEventSearch(query)),
  };
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
