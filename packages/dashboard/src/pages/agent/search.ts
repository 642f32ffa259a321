import { choiceOf, type Given, rangeOf } from '../../app/search-params.ts';
import type { DayRange } from '../../format/range.ts';

/** The figures of a statement whose rows can be opened. `exposure` has decisions, the others parts of events. */
export const FIGURES = [
  'confirmed.revenue',
  'confirmed.savings',
  'confirmed.costs',
  'confirmed.refunds',
  'confirmed.losses',
  'confirmed.net',
  'matched.net',
  'expected.net',
  'guessed.net',
  'exposure',
] as const;
export type StatementFigure = (typeof FIGURES)[number];

export interface AgentSearch extends DayRange {
  /** The figure whose rows are in view. */
  readonly figure?: StatementFigure | undefined;
}

export function readAgent(given: Given): AgentSearch {
  return { ...rangeOf(given), figure: choiceOf(given, 'figure', FIGURES) };
}
