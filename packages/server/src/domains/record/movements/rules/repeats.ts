import { matchesPattern } from '@decision-ledger/contract/source-profiles';

/** The source of a report, and the sources that it is declared to repeat. */
interface Repeating {
  readonly source: string;
  /** Patterns. */
  readonly repeats: readonly string[];
}

/** Whether reports of one source may be of the same money. A pattern that ends in `*` says so of other sources alone. */
export function repeatsItself({ source, repeats }: Repeating): boolean {
  return repeats.includes(source);
}

/** Whether one is declared to repeat what the other's source reports, or both the same. */
export function areRepeated(one: Repeating, other: Repeating): boolean {
  if (one.source === other.source) return repeatsItself(one);
  return isIn(one.repeats, other.source) || isIn(other.repeats, one.source) || overlap(one, other);
}

const isIn = (patterns: readonly string[], source: string): boolean =>
  patterns.some((pattern) => matchesPattern(pattern, source));

function overlap({ repeats }: Repeating, other: Repeating): boolean {
  return repeats.some((pattern) =>
    other.repeats.some((their) => matchesPattern(pattern, their) || matchesPattern(their, pattern)),
  );
}
