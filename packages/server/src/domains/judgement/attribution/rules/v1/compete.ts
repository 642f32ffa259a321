/**
 * Divides an event among its candidates and "no recorded decision", whose odds are 1.
 * @param logOdds of each candidate
 * @param left share of the event without a confirmed link, 0 to 1
 * @returns the share of each candidate; their sum is at most `left`
 */
export function shareOut(logOdds: readonly number[], left: number): number[] {
  // Shifted by the maximum, so that no exponential overflows.
  const shift = Math.max(0, ...logOdds);
  const odds = logOdds.map((value) => Math.exp(value - shift));
  const total = Math.exp(-shift) + odds.reduce((sum, value) => sum + value, 0);
  return odds.map((value) => (left * value) / total);
}

/**
 * Limits the odds of all candidates of an event together to 1, going by the base rate and time alone,
 * so that many decisions near an event do not make a cause likely.
 * @param logOdds of each candidate, by the base rate and time alone
 * @returns what each candidate loses: zero or less
 */
export function crowding(logOdds: readonly number[]): number {
  const odds = logOdds.reduce((sum, value) => sum + Math.exp(value), 0);
  return Math.min(0, -Math.log(odds));
}
