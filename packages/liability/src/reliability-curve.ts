/** Outcomes at a stated confidence, and the losses expected of them. */
export interface Point {
  readonly confidence: number;
  readonly losses: number;
  readonly expected: number;
}

/** A factor on the odds of a loss for each confidence; 1 where nothing is known. */
export type Curve = (confidence: number) => number;

/** Confidence over which outcomes are smoothed: the standard deviation of the weights. */
const WIDTH = 0.1;
/** Weight of "no effect", in losses. */
const CREDIBILITY = 10;
const STEPS = 20;

/**
 * A smooth curve of observed ÷ expected losses over the stated confidence. It says where losses are, not
 * how many there are: the expected losses are scaled to the number observed. It may rise or fall.
 */
export function reliabilityCurve(points: readonly Point[]): Curve {
  let [losses, expected] = [0, 0];
  for (const point of points) {
    losses += point.losses;
    expected += point.expected;
  }
  if (losses === 0 || expected === 0) return () => 1;
  const scale = losses / expected;
  const logs = Array.from({ length: STEPS + 1 }, (_, step) => {
    let [observed, scaled] = [CREDIBILITY, CREDIBILITY];
    for (const point of points) {
      const distance = (step / STEPS - point.confidence) / WIDTH;
      const weight = Math.exp((-distance * distance) / 2);
      observed += weight * point.losses;
      scaled += weight * point.expected * scale;
    }
    return Math.log(observed / scaled);
  });
  return (confidence) => {
    const place = Math.min(1, Math.max(0, confidence)) * STEPS;
    const below = Math.min(STEPS - 1, Math.floor(place));
    const [from = 0, to = 0] = [logs[below], logs[below + 1]];
    return Math.exp(from + (to - from) * (place - below));
  };
}
