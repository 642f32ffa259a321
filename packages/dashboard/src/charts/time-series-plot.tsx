import 'uplot/dist/uPlot.min.css';
import { useComputedColorScheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';

export interface TimeSeriesProps {
  /** The figures in words, for those who do not see the drawing. */
  readonly label: string;
  /** px */
  readonly height: number;
  /** Seconds since the epoch, ascending. */
  readonly times: readonly number[];
  readonly lines: readonly TimeSeriesLine[];
  /** Writes a value of the axis. */
  readonly formatValue: (value: number) => string;
}

export interface TimeSeriesLine {
  readonly label: string;
  /** A value for each time; null where there is none. */
  readonly values: readonly (number | null)[];
}

const COLOURS = {
  light: { text: '#5b6471', grid: '#eceef1', lines: ['#3e51ae', '#b54708', '#1a7a47'] },
  dark: { text: '#a3a9b4', grid: '#23272d', lines: ['#8f9ede', '#f0a25c', '#5fc992'] },
} as const;

export function TimeSeriesPlot({ label, height, times, lines, formatValue }: TimeSeriesProps) {
  const { ref, width } = useElementSize();
  const target = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme('light');
  useEffect(() => {
    if (target.current === null || width === 0) return undefined;
    const { text, grid, lines: colours } = COLOURS[scheme];
    const axis = { stroke: text, grid: { stroke: grid, width: 1 }, ticks: { show: false } };
    const plot = new uPlot(
      {
        ...{ width, height },
        legend: { show: lines.length > 1 },
        cursor: { points: { size: 6 }, drag: { x: false } },
        axes: [axis, { ...axis, size: 72, values: (_plot, values) => values.map(formatValue) }],
        series: [
          {},
          ...lines.map((line, at) => ({
            label: line.label,
            stroke: colours[at % colours.length] ?? text,
            width: 1.5,
          })),
        ],
      },
      [[...times], ...lines.map(({ values }) => [...values])],
      target.current,
    );
    return () => plot.destroy();
  }, [width, height, times, lines, formatValue, scheme]);
  return (
    <div ref={ref} role="img" aria-label={label}>
      <div ref={target} style={{ height }} />
    </div>
  );
}
