import { type Decimal, floorTo, unitsAt } from './decimal.js';

/**
 * Rounds parts so that they add up to a printed total (largest remainder): each part is rounded down,
 * and the missing units go to the parts that lost most, the earlier one first.
 * @returns null if the parts do not add up to the total, within less than one unit
 */
export function apportion(
  parts: readonly Decimal[],
  total: Decimal,
  digits: number,
): Decimal[] | null {
  const scale = Math.max(digits, total.scale, ...parts.map((part) => part.scale));
  const unit = 10n ** BigInt(scale - digits);
  const amounts = parts.map((part) => unitsAt(part, scale));
  const floors = amounts.map((amount) => floorTo(amount, unit));
  const rest = floors.reduce((left, floor) => left - floor * unit, unitsAt(total, scale));
  const losers = amounts
    .map((amount, index) => ({ index, lost: amount - (floors[index] ?? 0n) * unit }))
    .filter(({ lost }) => lost > 0n)
    .sort((a, b) => (a.lost === b.lost ? a.index - b.index : a.lost > b.lost ? -1 : 1));
  const missing = rest / unit;
  if (rest % unit !== 0n || missing < 0n || missing > BigInt(losers.length)) return null;
  const raised = new Set(losers.slice(0, Number(missing)).map(({ index }) => index));
  return floors.map((floor, index) => ({
    units: raised.has(index) ? floor + 1n : floor,
    scale: digits,
  }));
}
