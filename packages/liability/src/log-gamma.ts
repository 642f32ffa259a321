/** Below this the recurrence is used, so that the series is exact to 1e-12. */
const LARGE = 12;

/** Logarithm of the gamma function for arguments above 0, by Stirling's series. */
export function logGamma(argument: number): number {
  let x = argument;
  let product = 1;
  while (x < LARGE) {
    product *= x;
    x += 1;
  }
  const square = 1 / (x * x);
  const series = (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square / 1680))) / x;
  return (x - 0.5) * Math.log(x) - x + Math.log(2 * Math.PI) / 2 + series - Math.log(product);
}

/** Logarithm of the probability of losses among decisions whose rate has a Beta distribution. */
export function logBetaBinomial(
  decisions: number,
  losses: number,
  alpha: number,
  beta: number,
): number {
  // The binomial coefficient is the same for all shapes and is left out.
  return (
    logGamma(losses + alpha) -
    logGamma(alpha) +
    logGamma(decisions - losses + beta) -
    logGamma(beta) +
    logGamma(alpha + beta) -
    logGamma(decisions + alpha + beta)
  );
}
