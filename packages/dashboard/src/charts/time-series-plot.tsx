import 'uplot/dist/uPlot.min.css';
import { useComputedColorScheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import { formatDate } from '../format/dates.ts';
import { PAPER_PX, useIsOnPaper } from './paper.ts';

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

/** Distances between two labels of the axis, in s: whole days. */
const DAYS = [1, 2, 7, 14, 28, 91, 182, 364, 728].map((days) => days * 86_400);

/** What a day needs on the axis, with room beside it. */
const DAY_PX = 100;

/** @param time seconds since the epoch */
function dayOf(time: number): string {
  return formatDate(new Date(time * 1000).toISOString(), 'day');
}

function showLast(plot: uPlot): void {
  if (plot.cursor.idx === null || plot.cursor.idx === undefined) {
    plot.setLegend({ idx: plot.data[0].length - 1 }, false);
  }
}

export function TimeSeriesPlot({ label, height, times, lines, formatValue }: TimeSeriesProps) {
  const { ref, width: onScreen } = useElementSize();
  const width = useIsOnPaper() ? PAPER_PX : onScreen;
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
        // The legend shows the last values until the pointer is over the plot.
        hooks: { ready: [showLast], setCursor: [showLast] },
        axes: [
          {
            ...{ ...axis, incrs: [...DAYS], space: DAY_PX },
            values: (_plot, times) => times.map((time) => dayOf(time)),
          },
          // A formatter may have more parameters than the value: the index is none of them.
          { ...axis, size: 72, values: (_plot, all) => all.map((value) => formatValue(value)) },
        ],
        series: [
          { label: 'Day', value: (_plot, time) => (time === null ? '–' : dayOf(time)) },
          ...lines.map((line, at) => ({
            label: line.label,
            value: (_plot: uPlot, value: number | null) =>
              value === null ? '–' : formatValue(value),
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
      <div ref={target} style={{ minHeight: height }} />
    </div>
  );
}
