import { isOfBill } from './bills.js';
import { isLargerDispute } from './disputes.js';
import { isBookedEarly } from './late.js';
import {
  areOfTransfer,
  type Couple,
  isEarnedAs,
  isEqual,
  isFitting,
  isForeign,
  isNamed,
  isNear,
  isSmaller,
} from './likeness.js';
import type { Report } from './report.js';
import { BANKS, partsOf, sidesOf } from './sides.js';
import { among, type Couples, type Doubt, type RuleName, type Speaks, TIERS } from './tiers.js';

export type Pair = readonly [string, string];

/** Two reports that may be of the same money. */
export interface Possibility {
  readonly reports: Pair;
  readonly rule: RuleName;
  /** Whether it holds by pairs of sources alone, because a reference or the bank names the money. */
  readonly isStrong: boolean;
  /** The place of the rule: what holds by a stronger one comes first. */
  readonly place: number;
  /** Why it is no pair; undefined if nothing speaks against it. */
  readonly doubt: Doubt | undefined;
  /** Whether the books have it before it happened, by their days: then something else must speak for it. */
  readonly isEarly: boolean;
}

/**
 * All couples that may be of the same money. Where something speaks for a report and one of a source, nothing weaker speaks
 * for that report and another one of that source; but a second payment under one name is asked.
 */
export function possibilitiesOf(all: Couples): Possibility[] {
  const taken = new Set<string>();
  const left = new Set([...all.equal, ...all.smaller]);
  const isFree = (couple: Couple) => !sidesOf(couple).some((side) => taken.has(side));
  const made: Possibility[] = [];
  let free = all;
  for (const [place, { rule, isStrong = false, doubt, choose }] of TIERS.entries()) {
    const chosen = choose(free, taken);
    if (chosen.length === 0) continue;
    for (const couple of chosen) {
      left.delete(couple);
      take(couple, taken);
    }
    free = only(free, isFree);
    const sides = doubt === undefined ? chosen.flatMap(sidesOf) : [];
    for (const couple of chosen) {
      const reports = [couple[0].id, couple[1].id] as const;
      const its = doubt ?? doubtOfOneSource(couple, sides);
      const isEarly = rule === 'repeated_in_books' && isBookedEarly(...couple);
      made.push({ reports, rule, isStrong, place, doubt: its, isEarly });
    }
  }
  const halfTaken = [...left].filter(
    ([one, other]) =>
      taken.has(`${one.id} ${other.source}`) !== taken.has(`${other.id} ${one.source}`),
  );
  return [...made, ...secondsOf(halfTaken)];
}

/**
 * Three reports of a source that repeats itself may be of one payment, or of two, unless a reference names it.
 * @param sides of all couples that the rule speaks for
 */
function doubtOfOneSource(couple: Couple, sides: readonly string[]): Doubt | undefined {
  const [one, other] = couple;
  if (one.source !== other.source || isNamed(one, other)) return undefined;
  const isSecond = sidesOf(couple).some((side) => sides.filter((its) => its === side).length > 1);
  return isSecond ? 'several_possibilities' : undefined;
}

const only = (couples: Couples, isFree: (couple: Couple) => boolean): Couples => ({
  equal: couples.equal.filter(isFree),
  deposits: couples.deposits.filter(isFree),
  smaller: couples.smaller.filter(isFree),
  foreign: couples.foreign.filter(isFree),
  net: couples.net.filter(isFree),
  held: couples.held.filter(isFree),
  larger: couples.larger.filter(isFree),
  disputed: couples.disputed.filter(isFree),
  transfers: couples.transfers.filter(isFree),
  earned: couples.earned.filter(isFree),
  bills: couples.bills.filter(isFree),
});

function take(couple: Couple, taken: Set<string>): void {
  for (const side of sidesOf(couple)) taken.add(side);
  for (const report of couple) {
    if ('parts' in report) for (const id of partsOf(report)) taken.add(`${id} ${BANKS}`);
  }
}

/** A second payment under one name, which has less in common with what the first one paid: it may have been paid twice. */
function secondsOf(left: readonly Couple[]): Possibility[] {
  const near = among(left, (one, other) => isNear(one, other) && isNamed(one, other));
  return among(among(near, isEqual), isFitting).map(([one, other]) => ({
    ...{ reports: [one.id, other.id], rule: 'same_reference' },
    ...{ isStrong: false, place: TIERS.length, doubt: 'one_source', isEarly: false },
  }));
}

/**
 * @param isOpen whether nobody has said of what money two are
 * @param isHeld whether people said it of others that keep them apart
 */
export function couplesOf(reports: readonly Report[], isOpen: Speaks, isHeld: Speaks) {
  const couples: Record<Kind | 'held', Couple[]> = {
    ...{ equal: [], smaller: [], foreign: [], held: [], larger: [], transfers: [], earned: [] },
    bills: [],
  };
  for (const [at, one] of reports.entries()) {
    for (const other of reports.slice(at + 1)) {
      const kind = kindOf(one, other);
      if (kind !== null && isOpen(one, other)) couples[kind].push([one, other]);
      else if (kind === 'equal' && isHeld(one, other)) couples.held.push([one, other]);
      else if (kind === 'bills' && isHeld(one, other)) couples.bills.push([one, other]);
    }
  }
  return couples;
}

type Kind = 'equal' | 'smaller' | 'foreign' | 'larger' | 'transfers' | 'earned' | 'bills';

function kindOf(one: Report, other: Report): Kind | null {
  if (isEqual(one, other)) return 'equal';
  if (isSmaller(one, other)) return 'smaller';
  if (isLargerDispute(one, other)) return 'larger';
  if (areOfTransfer(one, other)) return 'transfers';
  if (isEarnedAs(one, other)) return 'earned';
  if (isOfBill(one, other)) return 'bills';
  return isForeign(one, other) ? 'foreign' : null;
}
