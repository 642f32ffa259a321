import type { Settings } from '@decision-ledger/contract/settings';
import { Big } from 'big.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import {
  type CostSum,
  converter,
  type MovedMoney,
  type MovedSum,
  sumMovedMoney,
  sumOpenExposure,
  sumRunningCosts,
} from '../../judgement/liability/index.js';
import type { Limit, Used } from './rules/limits.js';

type MoneySettings = Pick<Settings, 'base_currency' | 'exchange_rates' | 'model_prices'>;
type Sums = ReadonlyMap<Limit, Used>;

/** What is used of limits, by at most one statement each for exposure, money and running cost. What is not known is left out. */
export async function measureLimits(
  ledger: LedgerReader,
  limits: readonly Limit[],
  settings: MoneySettings,
): Promise<Sums> {
  return new Map([
    ...(await measureExposure(ledger, limits, settings)),
    ...(await measureMoney(ledger, limits, settings)),
    ...(await measureCosts(ledger, limits, settings)),
  ]);
}

async function measureExposure(
  ledger: LedgerReader,
  limits: readonly Limit[],
  { base_currency }: MoneySettings,
): Promise<Sums> {
  const open = limits.filter(({ measure }) => measure === 'open_exposure');
  const sums = await sumOpenExposure(ledger, base_currency, open);
  const used = new Map<Limit, Used>();
  for (const { scope, amount, unconverted } of sums ?? []) {
    const limit = open[scope];
    if (limit !== undefined)
      used.set(limit, { amount: new Big(amount), isWhole: unconverted === 0 });
  }
  return used;
}

async function measureMoney(
  ledger: LedgerReader,
  limits: readonly Limit[],
  settings: MoneySettings,
): Promise<Sums> {
  const wanted = limits.flatMap((limit) => moneyOf(limit) ?? []);
  return addUp(wanted, await sumMovedMoney(ledger, wanted), settings);
}

const LINK_TYPES = {
  loss: 'loss',
  refunds: 'refund',
  running_cost: null,
  open_exposure: null,
} as const;

function moneyOf(limit: Limit): (MovedMoney & OfLimit) | null {
  const { measure, period, agentId, actionType } = limit;
  const linkType = LINK_TYPES[measure];
  if (linkType === null || period === null) return null;
  return { limit, agentId, actionType, linkType, ...period };
}

async function measureCosts(
  ledger: LedgerReader,
  limits: readonly Limit[],
  settings: MoneySettings,
): Promise<Sums> {
  const wanted = limits.flatMap((limit) =>
    limit.measure === 'running_cost' && limit.period !== null
      ? [{ limit, agentId: limit.agentId, actionType: limit.actionType, ...limit.period }]
      : [],
  );
  const sums = await sumRunningCosts(ledger, wanted, settings.model_prices);
  return addUp(wanted, sums, settings);
}

interface OfLimit {
  readonly limit: Limit;
}

/** Sums of days and currencies as one sum of each limit, in the base currency. */
function addUp(
  wanted: readonly OfLimit[],
  sums: readonly (MovedSum | CostSum)[],
  { base_currency, exchange_rates }: MoneySettings,
): Sums {
  const convert = converter(base_currency, exchange_rates);
  const used = new Map(wanted.map(({ limit }) => [limit, NOTHING]));
  for (const { scope, currency, at, amount } of sums) {
    const limit = wanted[scope]?.limit;
    if (limit === undefined) continue;
    const before = used.get(limit) ?? NOTHING;
    const more = amount === null ? null : convert(amount, currency, at);
    used.set(limit, {
      amount: before.amount.plus(more ?? 0),
      isWhole: before.isWhole && more !== null,
    });
  }
  return used;
}

const NOTHING: Used = { amount: new Big(0), isWhole: true };
