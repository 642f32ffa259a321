/** Digits behind the point that estimates are kept with: sums over many small ones stay true. */
const DIGITS = 6;

/** @returns what a NUMERIC column takes */
export function decimal(value: number): string {
  return value.toFixed(DIGITS);
}
