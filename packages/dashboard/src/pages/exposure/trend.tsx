import type { ExposureAnalysis } from '@decision-ledger/client/api/exposure';
import { Skeleton, Text } from '@mantine/core';
import { lazy, Suspense, useMemo } from 'react';
import type { TimeSeriesProps } from '../../charts/time-series-plot.tsx';
import { CsvButton, type CsvTable } from '../../components/download.tsx';
import { formatDay } from '../../format/dates.ts';
import { formatCount, formatMoney } from '../../format/numbers.ts';
import { seriesOf } from './trend-series.ts';

const HEIGHT = 240;

const CSV: CsvTable<ExposureAnalysis['trend'][number]> = {
  name: 'exposure-trend',
  columns: {
    day: ({ day }) => day,
    is_now: ({ is_now }) => is_now,
    decisions: ({ decisions }) => decisions,
    exposure: ({ exposure }) => ({ decimal: exposure }),
    realised: ({ realised }) => ({ decimal: realised }),
    currency: ({ currency }) => currency,
  },
};

/** Exposure and losses after each nightly run, and now. */
export function Trend({ analysis }: { analysis: ExposureAnalysis }) {
  const { currency } = analysis;
  const series = useMemo(() => seriesOf(analysis), [analysis]);
  const lines = useMemo(
    () => [
      { label: 'Exposure', values: series.exposure },
      { label: 'Lost so far', values: series.realised },
    ],
    [series],
  );
  const [first, last] = [series.points[0], series.points.at(-1)];
  if (first === undefined || last === undefined || first === last) {
    return (
      <Text c="dimmed">
        The trend begins with the second point: one is added after each nightly run, at 02:00 UTC.
      </Text>
    );
  }
  const isPartial = series.points.length < analysis.trend.length;
  return (
    <>
      <CsvButton
        label="Trend"
        table={CSV}
        load={() => Promise.resolve({ rows: analysis.trend, next: null })}
      />
      <TimeSeries
        label={
          `From ${formatMoney(first.exposure, currency)} on ${formatDay(first.day)} ` +
          `to ${formatMoney(last.exposure, currency)} on ${formatDay(last.day)}`
        }
        height={HEIGHT}
        times={series.times}
        lines={lines}
        formatValue={formatCount}
      />
      <Text size="xs" c="dimmed" mt={4}>
        In {currency}, for all decisions that were recorded by then
        {isPartial && '. Days on which the ledger had another base currency are left out'}
      </Text>
    </>
  );
}

const Plot = lazy(async () => ({
  default: (await import('../../charts/time-series-plot.tsx')).TimeSeriesPlot,
}));

/** Lines over time. The code that draws them is loaded when the first one is shown. */
function TimeSeries(props: TimeSeriesProps) {
  return (
    <Suspense fallback={<Skeleton height={props.height} />}>
      <Plot {...props} />
    </Suspense>
  );
}
