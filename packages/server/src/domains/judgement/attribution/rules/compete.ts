/**
 * Candidates of one event share it with each other and with "none of them", whose odds are 1.
 * @param logOdds of each candidate
 * @param left what links made by people leave of the event, 0 to 1
 * @returns the share of each; together at most `left`
 */
export function shareOut(logOdds: readonly number[], left: number): number[] {
  // Shifted by the greatest, so that no exponential overflows.
  const shift = Math.max(0, ...logOdds);
  const odds = logOdds.map((value) => Math.exp(value - shift));
  const total = Math.exp(-shift) + odds.reduce((sum, value) => sum + value, 0);
  return odds.map((value) => (left * value) / total);
}

/**
 * Before anything but time is looked at, the candidates of an event together are at most as likely
 * as "none of them", however many decisions are made at that hour.
 * @param logOdds of each candidate, by the base rate and time alone
 * @returns what each of them loses: zero or less
 */
export function crowding(logOdds: readonly number[]): number {
  const odds = logOdds.reduce((sum, value) => sum + Math.exp(value), 0);
  return Math.min(0, -Math.log(odds));
}
