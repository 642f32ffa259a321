import { type ScaleLinear, scaleLinear } from 'd3-scale';
import { coordinateOf } from '../../format/decimal.ts';
import type { Step } from './statement.ts';

/** Amounts beyond the bars that the axis must reach: decimals with the sign that they are drawn with. */
export interface WaterfallMarks {
  readonly low: string;
  readonly high: string;
  /** Of the exposure, below zero. */
  readonly p50: string;
  readonly p95: string;
  readonly realised: string;
}

/** A bar in px. */
export interface PlacedStep {
  readonly step: Step;
  readonly x: number;
  readonly width: number;
  readonly top: number;
  readonly height: number;
  /** Where the bar ends: the level that the next one begins at. */
  readonly endY: number;
}

export interface WaterfallLayout {
  readonly bars: readonly PlacedStep[];
  readonly y: ScaleLinear<number, number>;
  readonly ticks: readonly number[];
}

interface Frame {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly top: number;
  readonly bottom: number;
}

/** Widths of the gaps before a bar, in bars. */
const GAPS: Readonly<Partial<Record<Step['kind'], number>>> = { apart: 0.35, hanging: 0.9 };
/** The part of its slot that a bar fills. */
const FILL = 0.72;

export function layOut(
  steps: readonly Step[],
  marks: WaterfallMarks,
  frame: Frame,
): WaterfallLayout {
  const values = [...Object.values(marks), ...steps.flatMap(({ start, end }) => [start, end])];
  const positions = values.map(coordinateOf);
  const y = scaleLinear()
    .domain([Math.min(0, ...positions), Math.max(0, ...positions) || 1])
    .nice(5)
    .range([frame.height - frame.bottom, frame.top]);
  const gaps = steps.reduce((sum, { kind }) => sum + (GAPS[kind] ?? 0), 0);
  const slot = (frame.width - frame.left) / (steps.length + gaps);
  let at = 0;
  const bars = steps.map((step) => {
    at += GAPS[step.kind] ?? 0;
    const [start, end] = [y(coordinateOf(step.start)), y(coordinateOf(step.end))];
    const x = frame.left + slot * (at + (1 - FILL) / 2);
    at += 1;
    const top = Math.min(start, end);
    return { step, x, width: slot * FILL, top, height: Math.abs(end - start), endY: end };
  });
  return { bars, y, ticks: y.ticks(5) };
}
