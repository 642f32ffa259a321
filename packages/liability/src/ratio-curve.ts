/** Outcomes at a place of an axis, and the losses expected of them. */
export interface Point {
  readonly at: number;
  readonly losses: number;
  readonly expected: number;
}

/** Where a curve is worked out; beyond its ends it is level. */
export interface Axis {
  readonly from: number;
  readonly to: number;
  readonly steps: number;
  /** Distance over which outcomes are smoothed: the standard deviation of the weights. */
  readonly width: number;
  /** Weight of "no effect", in losses. */
  readonly credibility: number;
}

/** A factor on the odds of a loss for each place of an axis; 1 where nothing is known. */
export type Curve = (at: number) => number;

/**
 * A smooth curve of observed ÷ expected losses. It says where losses are, not how many there are: the expected losses are
 * scaled to the number observed. It may rise or fall.
 */
export function ratioCurve(
  points: readonly Point[],
  { from, to, steps, width, credibility }: Axis,
): Curve {
  let [losses, expected] = [0, 0];
  for (const point of points) {
    losses += point.losses;
    expected += point.expected;
  }
  if (losses === 0 || expected === 0) return () => 1;
  const scale = losses / expected;
  const logs = Array.from({ length: steps + 1 }, (_, step) => {
    let [observed, scaled] = [credibility, credibility];
    for (const point of points) {
      const distance = (from + ((to - from) * step) / steps - point.at) / width;
      const weight = Math.exp((-distance * distance) / 2);
      observed += weight * point.losses;
      scaled += weight * point.expected * scale;
    }
    return Math.log(observed / scaled);
  });
  return (at) => {
    const place = Math.min(1, Math.max(0, (at - from) / (to - from))) * steps;
    const below = Math.min(steps - 1, Math.floor(place));
    const [low = 0, high = 0] = [logs[below], logs[below + 1]];
    return Math.exp(low + (high - low) * (place - below));
  };
}
