import { choiceOf, type Given, rangeOf, textOf } from '../../app/search-params.ts';
import type { DayRange } from '../../format/range.ts';

/** The columns that the table can be ordered by. */
const SORTS = ['agent', 'net', 'losses', 'guessed', 'exposure', 'decisions', 'confidence'] as const;
export type AgentSort = (typeof SORTS)[number];

export interface AgentsSearch extends DayRange {
  /** Part of a name. */
  readonly name?: string | undefined;
  /** Default: exposure. */
  readonly sort?: AgentSort | undefined;
  /** Default: the direction that shows the largest first, and names from A. */
  readonly order?: 'up' | 'down' | undefined;
}

export function readAgents(given: Given): AgentsSearch {
  return {
    ...rangeOf(given),
    name: textOf(given, 'name'),
    sort: choiceOf(given, 'sort', SORTS),
    order: choiceOf(given, 'order', ['up', 'down']),
  };
}
