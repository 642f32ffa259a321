import type { ExposureAnalysis } from '@decision-ledger/client/api/exposure';
import type { LiabilityBacktest } from '@decision-ledger/client/api/liability-model';
import { coordinateOf } from '../../format/decimal.ts';

type Point = ExposureAnalysis['trend'][number];

interface TrendSeries {
  /** Seconds since the epoch, ascending. */
  readonly times: readonly number[];
  readonly points: readonly Point[];
  readonly exposure: readonly number[];
  readonly realised: readonly number[];
}

/** The points in the currency of the analysis. The current one is drawn at its own time. */
export function seriesOf({
  trend,
  currency,
  as_of,
}: Pick<ExposureAnalysis, 'trend' | 'currency' | 'as_of'>): TrendSeries {
  const points = trend.filter((point) => point.currency === currency);
  return {
    times: points.map(({ day, is_now }) => Date.parse(is_now ? as_of : day) / 1000),
    points,
    exposure: points.map(({ exposure }) => coordinateOf(exposure)),
    realised: points.map(({ realised }) => coordinateOf(realised)),
  };
}

export const VERDICTS: Readonly<Record<LiabilityBacktest['verdict'], string>> = {
  consistent: 'The forecasts agree with the losses.',
  too_low: 'Losses exceed the value at risk too often: the forecasts are too low.',
  too_high: 'Losses exceed the value at risk too rarely: the forecasts are too high.',
  clustered: 'Months above the value at risk come in a row: their losses share a cause.',
  too_few_periods: 'A verdict needs 24 compared months.',
};

type Month = Pick<LiabilityBacktest['months'][number], 'status' | 'is_exception'>;

/** How a month compares with its forecast. */
export function outcomeOf({ status, is_exception }: Month): string {
  if (status === 'open') return 'Open: losses may still follow';
  if (status === 'changed') return 'Not compared: the month changed later';
  return is_exception === true ? 'Above the value at risk' : 'Within the value at risk';
}
