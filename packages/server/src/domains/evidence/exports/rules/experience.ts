import { Big } from 'big.js';
import { addLoss, joinLosses, type Losses, noLosses } from './losses.js';
import { isFew, MIN_SHOWN } from './protect-counts.js';

/** A decision to add to the sums. Amounts are decimal text in the base currency. */
export interface InsuredDecision {
  /** UUID. */
  readonly decision_id: string;
  readonly action_type: string;
  readonly confidence: number;
  readonly overseen: boolean;
  /** Its estimate, including realised losses; null without an estimate. */
  readonly exposure: string | null;
  /** Realised losses in the estimate. */
  readonly realised: string | null;
  /** Sum of its confirmed losses; null if no rate converts one of them. */
  readonly loss: string | null;
}

/** Sums over the decisions of an action type, or of several. */
export interface LossExperience {
  decisions: number;
  overseen: number;
  /** Counts by tenths of confidence; 1 is in the last. */
  readonly confidence: number[];
  /** Without realised losses, which could reveal single losses. */
  expected: Big;
  /** Losses that can be converted. */
  readonly losses: Losses;
  /** Number of losses that no rate converts. */
  unconverted: number;
}

const CONFIDENCE_BINS = 10;

export function noExperience(): LossExperience {
  return {
    decisions: 0,
    overseen: 0,
    confidence: new Array<number>(CONFIDENCE_BINS).fill(0),
    expected: new Big(0),
    losses: noLosses(),
    unconverted: 0,
  };
}

export function addDecision(sums: LossExperience, decision: InsuredDecision): void {
  const bin = Math.min(CONFIDENCE_BINS - 1, Math.floor(decision.confidence * CONFIDENCE_BINS));
  sums.decisions += 1;
  if (decision.overseen) sums.overseen += 1;
  sums.confidence[bin] = (sums.confidence[bin] ?? 0) + 1;
  sums.expected = sums.expected.plus(expectedOf(decision));
  if (decision.loss === null) sums.unconverted += 1;
  else if (new Big(decision.loss).gt(0)) addLoss(sums.losses, new Big(decision.loss));
}

function expectedOf({ exposure, realised }: InsuredDecision): Big {
  const expected = new Big(exposure ?? 0).minus(realised ?? 0);
  return expected.lt(0) ? new Big(0) : expected;
}

export function joinExperience(all: readonly LossExperience[]): LossExperience {
  const sums = noExperience();
  for (const one of all) {
    sums.decisions += one.decisions;
    sums.overseen += one.overseen;
    for (const [bin, count] of one.confidence.entries()) {
      sums.confidence[bin] = (sums.confidence[bin] ?? 0) + count;
    }
    sums.expected = sums.expected.plus(one.expected);
    joinLosses(sums.losses, one.losses);
    sums.unconverted += one.unconverted;
  }
  return sums;
}

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
