import { roundToMinorUnit } from '@decision-ledger/amounts/minor-units';
import { Big } from 'big.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import { readSettings } from '../../access/settings/index.js';
import type { EventEffect } from '../../record/hooks/index.js';
import { readMakeable, withoutStored } from './first-estimates.js';
import { converter } from './rules/amounts.js';
import {
  selectCountedShare,
  selectExposures,
  selectShareholders,
} from './store/link-allocations.js';

/**
 * The money and the exposure of the decisions that have a share of an event.
 * @param eventId UUID
 * @param seqs further decisions to count
 */
export async function readEventEffect(
  ledger: LedgerReader,
  eventId: string,
  seqs: readonly number[] = [],
): Promise<EventEffect> {
  const { base_currency: currency, exchange_rates } = await readSettings(ledger);
  const holders = await selectShareholders(ledger, eventId);
  const all = [...new Set([...holders, ...seqs])];
  const share = await selectCountedShare(ledger, eventId);
  const convert = converter(currency, exchange_rates);
  const net = share === null ? new Big(0) : convert(share.amount, share.currency, share.at);
  return {
    currency,
    net: roundToMinorUnit((net ?? new Big(0)).toFixed(), currency),
    isUnconverted: net === null,
    exposure: roundToMinorUnit((await sumExposures(ledger, all)).toFixed(), currency),
    seqs: all,
  };
}

/** The sum of the exposures of decisions, stored or not, in the base currency. */
async function sumExposures(ledger: LedgerReader, seqs: readonly number[]): Promise<Big> {
  const stored = await selectExposures(ledger, seqs);
  const firsts = await readMakeable(ledger, withoutStored(seqs, stored));
  const exposures = [
    ...stored.map(({ exposure }) => exposure),
    ...firsts.map(({ estimate }) => estimate.exposure),
  ];
  return exposures.reduce((sum, exposure) => sum.plus(exposure), new Big(0));
}
