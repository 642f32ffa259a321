import type { ExposureAnalysis } from '@decision-ledger/client/api/exposure';
import { coordinateOf } from '../../format/decimal.ts';

type Point = ExposureAnalysis['trend'][number];

export interface TrendSeries {
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
