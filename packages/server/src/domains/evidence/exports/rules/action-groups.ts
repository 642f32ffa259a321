import { joinExperience, type LossExperience, noExperience } from './experience.js';
import { isFew, MIN_SHOWN } from './protect-counts.js';

const OTHER = 'other';

/** Matches action names; excludes persons, addresses, numbers and sentences. */
const SHOWABLE = /^(?!.*[0-9]{4})[A-Za-z][A-Za-z0-9_.:/-]{0,63}$/;

/** OTHER is joined with further groups until it has this many decisions. */
const ENOUGH_BESIDE_FEW = 2 * MIN_SHOWN;

/** Limit of action types with their own sums; bounds the memory. */
const MAX_NAMES = 5000;

/** The sums of an action type, or those of OTHER. */
export function sumsFor(byType: Map<string, LossExperience>, actionType: string): LossExperience {
  const isOwn = SHOWABLE.test(actionType) && (byType.has(actionType) || byType.size < MAX_NAMES);
  const name = isOwn ? actionType : OTHER;
  const found = byType.get(name) ?? noExperience();
  byType.set(name, found);
  return found;
}

export interface ActionGroup {
  /** An action type, or OTHER. */
  readonly name: string;
  readonly sums: LossExperience;
}

/**
 * Action types in alphabetical order, with OTHER last. OTHER contains those with fewer than MIN_SHOWN
 * decisions or a name that must not be shown. While it has too few decisions, the action type with the
 * fewest joins it. Null if all decisions together are too few.
 */
export function groupActions(byType: ReadonlyMap<string, LossExperience>): ActionGroup[] | null {
  const own: ActionGroup[] = [];
  const rest: LossExperience[] = [];
  for (const [name, sums] of byType) {
    const isOwn = name !== OTHER && SHOWABLE.test(name) && sums.decisions >= MIN_SHOWN;
    if (isOwn) own.push({ name, sums });
    else rest.push(sums);
  }
  own.sort((a, b) => a.sums.decisions - b.sums.decisions || (a.name < b.name ? -1 : 1));
  let others = total(rest);
  for (
    const enough = isFew(others) ? ENOUGH_BESIDE_FEW : 0;
    others < enough;
    others = total(rest)
  ) {
    const joining = own.shift();
    if (joining === undefined) break;
    rest.push(joining.sums);
  }
  if (isFew(others)) return null;
  own.sort((a, b) => (a.name < b.name ? -1 : 1));
  return rest.length === 0 ? own : [...own, { name: OTHER, sums: joinExperience(rest) }];
}

function total(all: readonly LossExperience[]): number {
  return all.reduce((sum, { decisions }) => sum + decisions, 0);
}
