import type { Big } from 'big.js';
import { apportion } from './apportion.js';
import { sumAmounts, ZERO } from './books.js';

/** A part of a figure, and the groups within groups that it belongs to, from the widest. */
export interface PathedPart {
  readonly path: readonly string[];
  readonly amount: Big;
}

/**
 * Rounds parts so that they add up to a printed total, and so do the groups of each level: first the
 * widest groups, then the parts of each.
 * @param parts exact decimals with paths that differ, in the order of their groups
 * @param whole multiple of the unit, less than one unit from the sum of the parts
 * @param digits decimals of the unit
 * @throws RangeError if the parts do not add up to the total, within less than one unit
 */
export function apportionTree(
  parts: readonly PathedPart[],
  whole: Big,
  digits: number,
  level = 0,
): Big[] {
  const groups = new Map<string, number[]>();
  for (const [index, { path }] of parts.entries()) {
    const name = path[level] ?? `part ${index}`;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [index]);
    else group.push(index);
  }
  const members = [...groups.values()];
  const sums = members.map((own) => sumAmounts(own.map((index) => parts[index]?.amount ?? ZERO)));
  const printed = apportion(sums, whole, digits);
  const rounded = new Array<Big>(parts.length).fill(ZERO);
  for (const [at, own] of members.entries()) {
    const sum = printed[at] ?? ZERO;
    const nested = own.flatMap((index) => parts[index] ?? []);
    const parted = own.length === 1 ? [sum] : apportionTree(nested, sum, digits, level + 1);
    for (const [place, index] of own.entries()) rounded[index] = parted[place] ?? ZERO;
  }
  return rounded;
}
