import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { TimeSeriesProps } from './time-series-plot.tsx';

const Plot = lazy(async () => ({
  default: (await import('./time-series-plot.tsx')).TimeSeriesPlot,
}));

/** Lines over time. The code that draws them is loaded when the first one is shown. */
export function TimeSeries(props: TimeSeriesProps) {
  return (
    <Suspense fallback={<Skeleton height={props.height} />}>
      <Plot {...props} />
    </Suspense>
  );
}
