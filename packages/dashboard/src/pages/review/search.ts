import { choiceOf, type Given, textOf } from '../../app/search-params.ts';

/** Which part of the queue is shown. */
export const SHOWS = ['suggested', 'unexplained', 'audits'] as const;
export type Show = (typeof SHOWS)[number];

/** The search parameters of the page. */
export interface ReviewSearch {
  /** The financial event in view. */
  readonly event?: string | undefined;
  readonly show?: Show | undefined;
  /** Only events of this source. */
  readonly source?: string | undefined;
}

export function readReview(given: Given): ReviewSearch {
  return {
    event: textOf(given, 'event'),
    show: choiceOf(given, 'show', SHOWS),
    source: textOf(given, 'source'),
  };
}
