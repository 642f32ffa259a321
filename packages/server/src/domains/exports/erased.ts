import type { Queryable } from '../../platform/database.js';
import { idToUuid } from '../../platform/ids.js';
import type { Scope } from '../../platform/scope.js';
import { whichInRange } from '../decisions/index.js';
import { selectErasures } from './store/select-erasures.js';

/**
 * Whether fields of decisions of a range were erased behind a place in the chain of activity. The
 * range is in ms; the end is excluded.
 */
export async function isErasedSince(
  db: Queryable,
  scope: Scope,
  range: { readonly start: number; readonly end: number },
  since: number,
): Promise<boolean> {
  const erased = (await selectErasures(db, scope, since))
    .map((decisionId) => idToUuid('dec', decisionId))
    .filter((uuid) => uuid !== null);
  const all = { ...range, lastSeq: Number.MAX_SAFE_INTEGER };
  return (await whichInRange(db, scope, all, erased)).length > 0;
}
