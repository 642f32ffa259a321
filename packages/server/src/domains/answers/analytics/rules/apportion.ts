import { Big } from 'big.js';

const DOWN = 0;
const AWAY_FROM_ZERO = 3;

/**
 * Rounds parts so that they add up to a printed total (largest remainder): each part is rounded down,
 * and the units that are missing go to the parts that lost most, the earlier one first. Each part
 * becomes one of the two multiples of the unit next to it; a multiple stays.
 * @param parts exact decimals
 * @param total multiple of the unit, less than one unit from the sum of the parts
 * @param digits decimals of the unit
 * @throws RangeError if the parts do not add up to the total, within less than one unit
 */
export function apportion(parts: readonly Big[], total: Big, digits: number): Big[] {
  const floors = parts.map((part) => part.round(digits, part.lt(0) ? AWAY_FROM_ZERO : DOWN));
  const missing = floors.reduce((rest, floor) => rest.minus(floor), total);
  const units = missing.times(new Big(10).pow(digits)).toNumber();
  const losers = parts
    .map((part, index) => ({ index, lost: part.minus(floors[index] ?? 0) }))
    .filter(({ lost }) => lost.gt(0))
    .sort((a, b) => b.lost.cmp(a.lost) || a.index - b.index);
  if (!Number.isInteger(units) || units < 0 || units > losers.length) {
    throw new RangeError('the parts do not add up to the total');
  }
  const unit = new Big(10).pow(-digits);
  const raised = new Set(losers.slice(0, units).map(({ index }) => index));
  return floors.map((floor, index) => (raised.has(index) ? floor.plus(unit) : floor));
}
