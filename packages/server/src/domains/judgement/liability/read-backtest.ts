import type { LiabilityBacktest } from '@decision-ledger/contract/liability';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { summariseBacktest } from '@decision-ledger/liability/backtest';
import { reliabilityOf } from '@decision-ledger/liability/reliability';
import { Big } from 'big.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import { readSettings } from '../../access/settings/index.js';
import { money } from './describe.js';
import { newestEstimationModel } from './models.js';
import { readEstimateCurrency } from './read.js';
import { countLost } from './store/estimates.js';
import { type ForecastRow, selectForecasts } from './store/forecasts.js';
import { selectLearnedAt } from './store/liability-states.js';
import type { EstimationModel } from './stored-snapshot.js';

const MAX_AGENTS = 100;
const DAY_MS = 86_400_000;

/**
 * Forecasts as they were stored, beside what was realised since.
 * @param now ms
 */
export async function readBacktest(ledger: LedgerReader, now: number): Promise<LiabilityBacktest> {
  const model = await newestEstimationModel(ledger, await readSettings(ledger));
  const currency = await readEstimateCurrency(ledger, model.currency);
  const [forecasts, lost, learnedAt] = await Promise.all([
    selectForecasts(ledger),
    countLost(ledger),
    selectLearnedAt(ledger),
  ]);
  const rows = forecasts.map((row) => ({
    row,
    isSame: row.currency === currency,
    status: statusOf(row, currency, model, now),
  }));
  const compared = rows.filter(({ status }) => status === 'compared');
  const summary = summariseBacktest(
    compared.map(({ row }) => ({
      realised: Number(row.realised),
      low90: Number(row.low90),
      high90: Number(row.high90),
      var95: Number(row.var95),
    })),
  );
  return {
    months: rows.map(({ row, isSame, status }) => describeMonth(row, isSame, status)),
    ...summary,
    learned_at: learnedAt === null ? null : formatTimestamp(learnedAt),
    agents: reliabilityOf(model.experience, model.estimator, MAX_AGENTS).map((agent) => ({
      ...agent,
      confirmed_losses: lost.get(agent.agent_id) ?? 0,
      bins: [...agent.bins],
    })),
  };
}

type Status = LiabilityBacktest['months'][number]['status'];

/**
 * A month is mature once every loss of its last decision is known by the settings.
 * @param currency of all estimates; null if they are in several
 */
function statusOf(
  row: ForecastRow,
  currency: string | null,
  { settings }: EstimationModel,
  now: number,
): Status {
  const { loss_maturity_days, loss_maturity_days_by_action_type: own } = settings;
  const days = Math.max(loss_maturity_days, ...Object.values(own));
  const [year = 0, month = 0] = row.month.split('-').map(Number);
  if (now < Date.UTC(year, month, 1) + days * DAY_MS) return 'open';
  const isSame = row.decisions === row.decisions_now && row.currency === currency;
  return isSame ? 'compared' : 'changed';
}

/** @param isSame whether the losses are in the currency of the forecast */
function describeMonth(
  row: ForecastRow,
  isSame: boolean,
  status: Status,
): LiabilityBacktest['months'][number] {
  const { month, made_at, version, currency, basis, decisions } = row;
  const round = (amount: string) => money(amount, currency);
  return {
    ...{ month, made_at: formatTimestamp(made_at), version, currency, basis, decisions },
    expected: round(row.expected),
    low90: round(row.low90),
    high90: round(row.high90),
    var95: round(row.var95),
    es95: round(row.es95),
    realised: isSame ? round(row.realised) : null,
    status,
    is_exception: status === 'compared' ? new Big(row.realised).gt(row.var95) : null,
  };
}
