import type { LedgerReader } from '../../../platform/ledger.js';
import { readSettings } from '../../access/settings/index.js';
import { readEstimateCurrency } from '../../judgement/liability/index.js';
import { exposureRounder, type RoundExposure } from './rules/money.js';
import type { MoneySettings } from './store/conditions.js';

/** The base currency of a ledger, the rates into it and the name of customers. */
export async function readConversion(ledger: LedgerReader): Promise<MoneySettings> {
  const settings = await readSettings(ledger);
  return {
    base: settings.base_currency,
    rates: settings.exchange_rates,
    customerKey: settings.analytics.customer_key,
  };
}

/** How exposures are rounded. Sums of them exist only if all of them are in the base currency. */
export async function readRounding(
  ledger: LedgerReader,
  { base }: MoneySettings,
): Promise<{ readonly roundExposure: RoundExposure }> {
  const estimates = await readEstimateCurrency(ledger, base);
  return { roundExposure: exposureRounder(estimates, base) };
}
