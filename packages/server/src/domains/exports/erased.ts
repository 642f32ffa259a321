import type { Queryable } from '../../platform/database.js';
import { idToUuid } from '../../platform/ids.js';
import type { Scope } from '../../platform/scope.js';
import { whichInRange } from '../decisions/index.js';
import { KINDS } from './kinds.js';
import type { Pins } from './pins.js';
import type { ExportRow } from './store/export-row.js';
import { selectErasures } from './store/select-erasures.js';

/** Whether an export that is being made may hold what was erased since it began. */
export async function holdsErased(
  db: Queryable,
  scope: Scope,
  { export_type }: Pick<ExportRow, 'export_type'>,
  pins: Pins,
): Promise<boolean> {
  return KINDS[export_type].holdsPayloads && (await isErasedSince(db, scope, pins, pins.since));
}

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
