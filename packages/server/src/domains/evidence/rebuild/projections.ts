import type { Projection } from '../../../platform/projections/projection.js';
import {
  agentPatterns,
  attributionState,
  decisionFeatures,
  decisionTokens,
  linkReviews,
  tokenFrequencies,
} from '../../judgement/attribution/index.js';
import {
  decisionEstimates,
  exposureCells,
  linkAllocations,
} from '../../judgement/liability/index.js';
import { experimentAssignments, runningCosts, searchTerms } from '../../record/decisions/index.js';
import { countedAmounts, movementLeads } from '../../record/financial-events/index.js';
import { logTiles, logTrees } from '../transparency/index.js';

/** What makes each derived column of the schema, in the order in which they follow from one another. */
export const PROJECTIONS: readonly Projection[] = [
  searchTerms,
  experimentAssignments,
  runningCosts,
  movementLeads,
  countedAmounts,
  linkAllocations,
  decisionEstimates,
  exposureCells,
  linkReviews,
  agentPatterns,
  decisionFeatures,
  decisionTokens,
  tokenFrequencies,
  attributionState,
  logTiles,
  logTrees,
];

/**
 * A projection and all those that its rows are made of, in their order; all without a name.
 * @returns null if there is none of that name
 */
export function projectionsFor(name: string | undefined): readonly Projection[] | null {
  if (name === undefined) return PROJECTIONS;
  const needed = new Set<string>();
  const need = (one: string) => {
    needed.add(one);
    for (const other of PROJECTIONS.find((known) => known.name === one)?.after ?? []) need(other);
  };
  need(name);
  const chosen = PROJECTIONS.filter((projection) => needed.has(projection.name));
  return chosen.some((projection) => projection.name === name) ? chosen : null;
}

/** All that follows from the rows of a projection, directly or not. */
export function dependentsOf(name: string): string[] {
  const found = new Set([name]);
  for (const projection of PROJECTIONS) {
    if (projection.after.some((other) => found.has(other))) found.add(projection.name);
  }
  found.delete(name);
  return [...found];
}
