import { type Given, rangeOf, textOf } from '../../app/search-params.ts';
import type { DayRange } from '../../format/range.ts';

/** The search parameters of the page: which decisions the figures count. */
export interface ExposureSearch extends DayRange {
  readonly agent?: string | undefined;
  readonly action?: string | undefined;
}

export function readExposure(given: Given): ExposureSearch {
  return { ...rangeOf(given), agent: textOf(given, 'agent'), action: textOf(given, 'action') };
}

export function isFiltered({ from, to, agent, action }: ExposureSearch): boolean {
  return [from, to, agent, action].some((value) => value !== undefined);
}
