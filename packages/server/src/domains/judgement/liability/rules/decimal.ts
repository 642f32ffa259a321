/** Decimals of stored estimates: sums over many small ones stay exact enough. */
const DIGITS = 6;

/** @returns text for a NUMERIC column */
export function decimal(value: number): string {
  return value.toFixed(DIGITS);
}
