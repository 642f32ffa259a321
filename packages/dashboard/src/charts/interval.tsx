import { scaleLinear } from 'd3-scale';
import { coordinateOf } from '../format/decimal.ts';
import classes from './interval.module.css';

interface IntervalProps {
  /** Decimals of one currency. */
  readonly low: string;
  readonly expected: string;
  readonly high: string;
  /** The figures in words, for those who do not see the drawing. */
  readonly label: string;
}

const WIDTH = 320;
const HEIGHT = 24;
const EDGE = 6;

/** An expected amount within its interval, from zero. */
export function Interval({ low, expected, high, label }: IntervalProps) {
  const [from, at, to] = [low, expected, high].map(coordinateOf);
  const x = scaleLinear()
    .domain([Math.min(0, from ?? 0), Math.max(to ?? 0, at ?? 0) || 1])
    .range([EDGE, WIDTH - EDGE]);
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={label}
      className={classes.interval}
    >
      <line className={classes.axis} x1={x(0)} x2={WIDTH - EDGE} y1={12} y2={12} />
      <line className={classes.range} x1={x(from ?? 0)} x2={x(to ?? 0)} y1={12} y2={12} />
      <circle className={classes.point} cx={x(at ?? 0)} cy={12} r={4} />
    </svg>
  );
}
