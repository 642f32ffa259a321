import type { Quality } from './quality.js';

/** The label `matched` is withdrawn while audits do not show that so many of its suggestions are right. */
export const LEAST_PRECISION = 0.9;

/** Months of audits before the current one that decide about the label. */
const WINDOW_MONTHS = 6;

/** The first instant of the audits that decide about the label. @param now ms, like the result */
export function labelWindow(now: number): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - WINDOW_MONTHS, 1);
}

export interface LabelState {
  readonly isWithdrawn: boolean;
  /** ms; null if it never changed. */
  readonly changedAt: number | null;
}

/**
 * Whether the label is withdrawn from now on. It is while the lower bound of its precision is too low and
 * some suggestion was wrong: a few right answers prove little, but nothing against it. It returns when the
 * bound has recovered, and not in the month (UTC) in which it was withdrawn, so that it cannot flap.
 * @param now ms
 */
export function isLabelWithdrawn(
  { isWithdrawn, changedAt }: LabelState,
  { precision: { matched } }: Pick<Quality, 'precision'>,
  now: number,
): boolean {
  if (matched === null) return isWithdrawn;
  if (!isWithdrawn) return matched.low < LEAST_PRECISION && matched.value < 1;
  const isLater = changedAt === null || monthOf(now) > monthOf(changedAt);
  return !(isLater && matched.low >= LEAST_PRECISION);
}

const monthOf = (at: number): string => new Date(at).toISOString().slice(0, 7);

/** The label that a suggestion carries. */
export function givenLabel(
  label: 'matched' | 'guessed',
  isWithdrawn: boolean,
): 'matched' | 'guessed' {
  return isWithdrawn ? 'guessed' : label;
}
