import { areOfTwoProcessors, isContrary, isTorn } from './contradictions.js';
import { isWithSomeFee } from './disputes.js';
import {
  areAtOnce,
  type Couple,
  isABitLess,
  isBank,
  isDeclared,
  isFitting,
  isNamed,
  isNear,
  isOfOneKind,
  isReferred,
  isRepeated,
  isToldArrival,
  mayArrive,
  mayBePaidOut,
  mayBeTransferred,
} from './likeness.js';
import type { Report } from './report.js';
import { BANKS, closest, commonNames, onlyOnes } from './sides.js';

/** Names of the rules, as records state them. */
export type RuleName =
  | 'same_reference'
  | 'repeated'
  | 'repeated_in_books'
  | 'arrived_at_bank'
  | 'sum_by_reference'
  | 'sum_of_period';

/** Why a possibility is no pair. */
export type Doubt =
  | 'several_possibilities'
  | 'far_apart'
  | 'other_references'
  | 'other_kind'
  | 'other_amount'
  | 'contradicting_links'
  | 'one_source'
  | 'parted'
  | 'no_reference';

/** All couples, by what speaks for them. */
export interface Couples {
  /** Those of one amount. */
  readonly equal: readonly Couple[];
  /** Payouts, with the transactions of the books that they may be booked as. */
  readonly deposits: readonly Couple[];
  /** Those of which the books have less. */
  readonly smaller: readonly Couple[];
  /** Those of one order in different currencies. */
  readonly foreign: readonly Couple[];
  /** Those of them that have what a fee has left. */
  readonly net: readonly Couple[];
  /** Those of which the books or the bank have more of a dispute. */
  readonly larger: readonly Couple[];
  /** Those of them that have a fee that is stated beside it. */
  readonly disputed: readonly Couple[];
  /** Sales of which the books say that they had been paid before. */
  readonly earned: readonly Couple[];
  /** Those of one system, one of which names the other by its id: it may be the payment of that. */
  readonly bills: readonly Couple[];
  /** Lines of two banks in opposite directions. */
  readonly transfers: readonly Couple[];
  /** Those of one amount, one of which people hold together with a report of the other one's source. */
  readonly held: readonly Couple[];
}

/** What speaks for a couple, the strongest first. */
export interface Tier {
  readonly rule: RuleName;
  readonly isStrong?: true;
  /** Why it is no pair; absent where nothing speaks against it. */
  readonly doubt?: Doubt;
  /** Whether names of different customers or orders speak against it: then it is the last thing to be asked. */
  readonly isDenied?: true;
  /**
   * @param couples those of which no side is taken
   * @param taken sides of what is stronger
   */
  readonly choose: (couples: Couples, taken: ReadonlySet<string>) => readonly Couple[];
}

export type Speaks = (one: Report, other: Report) => boolean;

export const among = (couples: readonly Couple[], speaks: Speaks) =>
  couples.filter(([one, other]) => speaks(one, other));
const fitting = ({ equal, deposits }: Couples) => [...among(equal, isFitting), ...deposits];
const isRepeatedOfOneKind: Speaks = (one, other) =>
  isRepeated(one, other) && isOfOneKind(one, other);
const areAtOnceUnderOne: Speaks = (one, other) =>
  areAtOnce(one, other) &&
  isReferred(one, other) &&
  !isContrary(one, other) &&
  !areOfTwoProcessors(one, other);
const isUntorn: Speaks = (one, other) => !isTorn([one, other]);
const isNamedAsOne: Speaks = (one, other) => isNamed(one, other) && isUntorn(one, other);
/** Whether both state a name themselves. */
const isNamedByBoth: Speaks = (one, other) =>
  isNamedAsOne(one, other) &&
  [...commonNames([one, other])].some(
    (name) => !one.inherited.has(name) && !other.inherited.has(name),
  );
const isOfBank: Speaks = (one, other) => isBank(one.source) || isBank(other.source);

/** Whether something stronger speaks for one of two, whatever its source. */
const isTaken = (couple: Couple, taken: ReadonlySet<string>): boolean =>
  [...taken].some((side) => couple.some(({ id }) => side.startsWith(`${id} `)));

/** Those of each strength that say nothing of contradictions. */
const SPOKEN: readonly Tier[] = [
  {
    ...{ rule: 'same_reference', isStrong: true },
    choose: (couples) => onlyOnes(closest(among(fitting(couples), isNamedByBoth))),
  },
  {
    ...{ rule: 'same_reference', isStrong: true },
    choose: (couples) => onlyOnes(closest(among(fitting(couples), isNamedAsOne))),
  },
  {
    ...{ rule: 'same_reference', isStrong: true },
    choose: ({ net }) => onlyOnes(net),
  },
  {
    ...{ rule: 'same_reference', isStrong: true },
    choose: ({ disputed }) => onlyOnes(among(disputed, isUntorn)),
  },
  {
    ...{ rule: 'same_reference', isStrong: true },
    choose: ({ earned }) => onlyOnes(among(earned, isUntorn)),
  },
  {
    ...{ rule: 'same_reference', isStrong: true },
    choose: (couples) => onlyOnes(among(fitting(couples), areAtOnceUnderOne)),
  },
  {
    ...{ rule: 'same_reference', isDenied: true },
    choose: (couples) =>
      among(
        fitting(couples),
        (one, other) =>
          isReferred(one, other) && isNear(one, other) && !areOfTwoProcessors(one, other),
      ),
  },
  {
    ...{ rule: 'repeated', isDenied: true },
    choose: ({ equal }) =>
      among(equal, (one, other) => isDeclared(one, other) && isOfOneKind(one, other)),
  },
  {
    ...{ rule: 'repeated_in_books', isDenied: true },
    choose: ({ equal }) =>
      among(equal, (one, other) => isRepeatedOfOneKind(one, other) && !isOfBank(one, other)),
  },
  {
    ...{ rule: 'arrived_at_bank', isStrong: true },
    choose: ({ equal }) => onlyOnes(among(among(equal, mayArrive), isToldArrival)),
  },
  {
    ...{ rule: 'arrived_at_bank', doubt: 'several_possibilities' },
    choose: ({ equal }) => among(among(equal, mayArrive), isToldArrival),
  },
  {
    ...{ rule: 'repeated_in_books', isDenied: true },
    choose: ({ deposits }) =>
      among(deposits, (one, other) => isNear(one, other) && !one.isCrowded && !other.isCrowded),
  },
  {
    ...{ rule: 'repeated_in_books', isDenied: true },
    choose: ({ equal }, taken) =>
      among(equal, isRepeatedOfOneKind).filter(
        (couple) => isOfBank(...couple) && !couple.some(({ id }) => taken.has(`${id} ${BANKS}`)),
      ),
  },
  {
    ...{ rule: 'same_reference', doubt: 'other_references' },
    choose: (couples) =>
      among(
        fitting(couples),
        (one, other) =>
          isReferred(one, other) && areOfTwoProcessors(one, other) && !isContrary(one, other),
      ),
  },
  {
    ...{ rule: 'same_reference', doubt: 'far_apart' },
    choose: (couples) =>
      among(fitting(couples), (one, other) => isReferred(one, other) && !isContrary(one, other)),
  },
  {
    ...{ rule: 'same_reference', doubt: 'other_kind' },
    choose: ({ equal }) =>
      among(equal, (one, other) => isReferred(one, other) && !isFitting(one, other)),
  },
  {
    ...{ rule: 'arrived_at_bank', doubt: 'other_kind' },
    choose: ({ equal }) => among(equal, mayArrive),
  },
  {
    ...{ rule: 'arrived_at_bank', doubt: 'other_kind' },
    choose: ({ equal }) =>
      among(equal, (one, other) => mayBePaidOut(one, other) && !isContrary(one, other)),
  },
  {
    ...{ rule: 'repeated_in_books', doubt: 'other_kind' },
    choose: ({ equal }) =>
      among(equal, (one, other) => mayBeTransferred(one, other) && !isContrary(one, other)),
  },
  {
    ...{ rule: 'repeated_in_books', doubt: 'other_kind' },
    choose: ({ equal }) =>
      among(
        equal,
        (one, other) =>
          isRepeated(one, other) && one.isOwn === other.isOwn && !isOfOneKind(one, other),
      ),
  },
  {
    ...{ rule: 'same_reference', doubt: 'other_amount' },
    choose: ({ smaller }) => smaller.filter(isABitLess),
  },
  {
    ...{ rule: 'same_reference', doubt: 'other_amount' },
    choose: ({ larger }) => among(larger, isUntorn).filter(isWithSomeFee),
  },
  {
    ...{ rule: 'same_reference', doubt: 'other_amount' },
    choose: ({ foreign }) => among(foreign, (one, other) => !isContrary(one, other)),
  },
  {
    ...{ rule: 'arrived_at_bank', doubt: 'other_kind' },
    choose: ({ transfers }, taken) => transfers.filter((couple) => !isTaken(couple, taken)),
  },
  {
    ...{ rule: 'same_reference', doubt: 'one_source' },
    choose: ({ held }) =>
      among(held, (one, other) => isFitting(one, other) && isNear(one, other)).filter((couple) =>
        isNamedAsOne(...couple),
      ),
  },
  {
    ...{ rule: 'same_reference', doubt: 'one_source' },
    choose: ({ bills }) => bills,
  },
];

/** All tiers. What contradicts itself comes last. */
export const TIERS: readonly Tier[] = [
  ...SPOKEN.map(
    ({ choose, ...tier }): Tier => ({
      ...tier,
      choose: (couples, taken) => {
        const chosen = choose(couples, taken);
        return tier.isDenied ? chosen.filter((couple) => !isContrary(...couple)) : chosen;
      },
    }),
  ),
  ...SPOKEN.filter(({ isDenied }) => isDenied).map(
    ({ rule, choose }): Tier => ({
      ...{ rule, doubt: 'other_references' },
      choose: (couples, taken) => among(choose(couples, taken), isContrary),
    }),
  ),
];
