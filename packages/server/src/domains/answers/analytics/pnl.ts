import type { Pnl, PnlQuery } from '@decision-ledger/contract/analytics';
import type { Clock } from '../../../platform/clock.js';
import { expiringCache } from '../../../platform/expiring-cache.js';
import type { Ledger, LedgerReader } from '../../../platform/ledger.js';
import {
  type KnownEstimates,
  readEstimateCurrency,
  withEstimates,
} from '../../judgement/liability/index.js';
import { describeKnown, readConsistent, readState, type State } from './consistent.js';
import { readConversion } from './conversion.js';
import { type Filter, isWhole, readAnalyticsFilter } from './rules/filter.js';
import { exposureRounder } from './rules/money.js';
import { buildPnl, type PnlOfMoney, type PnlSums } from './rules/pnl.js';
import type { MoneySettings } from './store/conditions.js';
import { sumCustomers } from './store/customers.js';
import { sumEvents } from './store/events.js';
import { sumExposure } from './store/exposure.js';
import { sumMoved, sumUncertainty } from './store/link-allocations.js';
import { selectClosings } from './store/months.js';

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
  const [moved, events, customers, uncertainty, closings] = await Promise.all([
    sumMoved(ledger, filter, conversion),
    isWhole(filter) ? sumEvents(ledger, filter, conversion) : null,
    byCustomer ? sumCustomers(ledger, filter, conversion) : null,
    sumUncertainty(ledger, filter, conversion),
    selectClosings(ledger, filter),
  ]);
  return {
    linked: moved.filter((sum) => sum.kind === 'month'),
    byAgent: moved.filter((sum) => sum.kind === 'agent'),
    byActionType: moved.filter((sum) => sum.kind === 'action_type'),
    byCustomer: customers,
    ...{ events, uncertainty, closings },
  };
}
