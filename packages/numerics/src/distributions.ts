/** Coefficients of the Lanczos approximation with g = 7, accurate to about 15 digits. */
const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313,
  -176.61502916214059, 12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6,
  1.5056327351493116e-7,
];

/**
 * The natural logarithm of the gamma function, for x > 0.
 *
 * @example
 * ```ts
 * import { logGamma } from '@decision-ledger/numerics/distributions';
 *
 * Math.exp(logGamma(5)).toFixed(6); // => '24.000000'
 * ```
 */
export function logGamma(x: number): number {
  if (x < 0.5) return logGamma(x + 1) - Math.log(x);
  const shifted = x - 1;
  const base = shifted + 7.5;
  let sum = LANCZOS[0] ?? 1;
  for (let index = 1; index < LANCZOS.length; index += 1) {
    sum += (LANCZOS[index] ?? 0) / (shifted + index);
  }
  return 0.5 * Math.log(2 * Math.PI) + (shifted + 0.5) * Math.log(base) - base + Math.log(sum);
}

const TINY = 1e-300;
const PRECISION = 1e-15;
const MAX_TERMS = 10_000;

/** The continued fraction of the incomplete beta function (Lentz's method). */
function betaFraction(x: number, a: number, b: number): number {
  let c = 1;
  let d = 1 / guard(1 - ((a + b) * x) / (a + 1));
  let value = d;
  for (let m = 1; m <= MAX_TERMS; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / guard(1 + even * d);
    c = guard(1 + even / c);
    value *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / guard(1 + odd * d);
    c = guard(1 + odd / c);
    const change = d * c;
    value *= change;
    if (Math.abs(change - 1) < PRECISION) break;
  }
  return value;
}

function guard(value: number): number {
  return Math.abs(value) < TINY ? TINY : value;
}

/** The regularised incomplete beta function, for a and b of at least 0.5. */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(
    logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x),
  );
  return x < (a + 1) / (a + b + 2)
    ? (front * betaFraction(x, a, b)) / a
    : 1 - (front * betaFraction(1 - x, b, a)) / b;
}

/** From here on the normal distribution is used: its quantiles agree to six digits. */
const MANY_DEGREES = 1e6;

/** The probability that Student's t exceeds a value ≥ 0. */
function tTail(value: number, degrees: number): number {
  return incompleteBeta(degrees / (degrees + value * value), degrees / 2, 0.5) / 2;
}

/**
 * A quantile of Student's t distribution.
 * @param probability from 0.5 to below 1
 * @param degrees of freedom, at least 1, not necessarily whole
 * @example
 * ```ts
 * import { tQuantile } from '@decision-ledger/numerics/distributions';
 *
 * tQuantile(0.975, 10).toFixed(4); // => '2.2281'
 * ```
 */
export function tQuantile(probability: number, degrees: number): number {
  const df = Math.min(degrees, MANY_DEGREES);
  let low = 0;
  let high = 1;
  while (tTail(high, df) > 1 - probability) high *= 2;
  // The interval halves each time, so the result is exact to the last digits.
  for (let turn = 0; turn < 100; turn += 1) {
    const middle = (low + high) / 2;
    if (tTail(middle, df) > 1 - probability) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/**
 * The probability that chi-square exceeds a value.
 *
 * @example
 * ```ts
 * import { chiSquareTail } from '@decision-ledger/numerics/distributions';
 *
 * chiSquareTail(3.841459, 1).toFixed(4); // => '0.0500'
 * ```
 */
export function chiSquareTail(value: number, degrees: number): number {
  if (value <= 0) return 1;
  const a = degrees / 2;
  const x = value / 2;
  const front = Math.exp(a * Math.log(x) - x - logGamma(a + 1));
  return x < a + 1 ? 1 - front * gammaSeries(a, x) : front * a * gammaFraction(a, x);
}

function gammaSeries(a: number, x: number): number {
  let term = 1;
  let sum = 1;
  for (let n = 1; n <= MAX_TERMS && term > sum * PRECISION; n += 1) {
    term *= x / (a + n);
    sum += term;
  }
  return sum;
}

function gammaFraction(a: number, x: number): number {
  let b = x + 1 - a;
  let c = 1 / TINY;
  let d = 1 / guard(b);
  let value = d;
  for (let n = 1; n <= MAX_TERMS; n += 1) {
    const step = -n * (n - a);
    b += 2;
    d = 1 / guard(step * d + b);
    c = guard(b + step / c);
    const change = d * c;
    value *= change;
    if (Math.abs(change - 1) < PRECISION) break;
  }
  return value;
}
