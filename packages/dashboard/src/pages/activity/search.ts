import { type Given, rangeOf, textOf } from '../../app/search-params.ts';
import type { DayRange } from '../../format/range.ts';

/** The search parameters of the page: which changes it shows. */
export interface ActivityFilters extends DayRange {
  /** The kind of change, such as `key.issued`. */
  readonly type?: string | undefined;
  /** The id of what was changed. */
  readonly subject?: string | undefined;
}

export function readActivity(given: Given): ActivityFilters {
  return { ...rangeOf(given), type: textOf(given, 'type'), subject: textOf(given, 'subject') };
}

export function isFiltered(filters: ActivityFilters): boolean {
  return Object.values(filters).some((value) => value !== undefined);
}
