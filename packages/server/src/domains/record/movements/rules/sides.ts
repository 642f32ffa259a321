import type { DepositReport } from './deposits.js';
import { areAtOnce, type Couple } from './likeness.js';
import type { Report } from './report.js';

/** Those of which no side has two. */
export function onlyOnes(couples: readonly Couple[]): readonly Couple[] {
  const counts = new Map<string, number>();
  for (const side of couples.flatMap(sidesOf)) counts.set(side, (counts.get(side) ?? 0) + 1);
  return couples.filter((couple) => sidesOf(couple).every((side) => counts.get(side) === 1));
}

/**
 * Without those that have only some of the names in common that another one of a side has, or all of them at another time, or
 * of which only one was disputed.
 */
export function closest(named: readonly Couple[]): readonly Couple[] {
  const bySide = new Map<string, Couple[]>();
  for (const couple of named) {
    for (const side of sidesOf(couple)) bySide.set(side, [...(bySide.get(side) ?? []), couple]);
  }
  const isSurpassed = (couple: Couple) => {
    const names = commonNames(couple);
    return sidesOf(couple).some((side) =>
      bySide.get(side)?.some((other) => {
        if (areDisputedAlike(...other) !== areDisputedAlike(...couple))
          return areDisputedAlike(...other);
        const more = commonNames(other);
        const isMore = more.size > names.size || (areAtOnce(...other) && !areAtOnce(...couple));
        return isMore && [...names].every((name) => more.has(name));
      }),
    );
  };
  return named.filter((couple) => !isSurpassed(couple));
}

const areDisputedAlike = (one: Report, other: Report): boolean =>
  one.isDisputed === other.isDisputed;

export const commonNames = ([one, other]: Couple): ReadonlySet<string> =>
  new Set([...one.names].filter((name) => other.names.has(name)));

/** The banks, as what a side may have been taken by. */
export const BANKS = 'bank/';

/** Each report of a couple, with the source of the other one. */
export function sidesOf([one, other]: Couple): string[] {
  const sides = (own: Report, source: string) => partsOf(own).map((id) => `${id} ${source}`);
  return [...sides(one, other.source), ...sides(other, one.source)];
}

/** The reports that one stands for. */
export const partsOf = (report: Report | DepositReport): readonly string[] =>
  'parts' in report ? report.parts : [report.id];
