/** A decimal: units × 10^-scale. */
export interface Decimal {
  readonly units: bigint;
  /** Digits after the point. */
  readonly scale: number;
}

export const ZERO: Decimal = { units: 0n, scale: 0 };

/** Longer numbers are refused, because their size would bound the time of every sum. */
const MAX_CHARS = 100;
const MAX_EXPONENT = 100;
const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d{1,3}))?$/;

/** @returns null if the text is not a decimal of at most 100 characters */
export function parseDecimal(text: string): Decimal | null {
  const match = text.length > MAX_CHARS ? null : DECIMAL.exec(text);
  if (match === null) return null;
  const [, sign = '', whole = '0', fraction = '', power = '0'] = match;
  const exponent = Number(power);
  if (Math.abs(exponent) > MAX_EXPONENT) return null;
  const units = BigInt(`${sign}${whole}${fraction}`);
  const scale = fraction.length - exponent;
  return scale >= 0 ? { units, scale } : { units: units * 10n ** BigInt(-scale), scale: 0 };
}

/** The units of a decimal with as many digits after the point, which must not be fewer than it has. */
function unitsAt({ units, scale }: Decimal, wanted: number): bigint {
  return units * 10n ** BigInt(wanted - scale);
}

export function add(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  return { units: unitsAt(a, scale) + unitsAt(b, scale), scale };
}

export function sumOf(all: readonly Decimal[]): Decimal {
  return all.reduce(add, ZERO);
}

export function times(a: Decimal, b: Decimal): Decimal {
  return { units: a.units * b.units, scale: a.scale + b.scale };
}

export function negate({ units, scale }: Decimal): Decimal {
  return { units: -units, scale };
}

export function absolute(a: Decimal): Decimal {
  return a.units < 0n ? negate(a) : a;
}

/** Negative, zero or positive as a is below, equal to or above b. */
export function compare(a: Decimal, b: Decimal): number {
  const { units } = add(a, negate(b));
  return units < 0n ? -1 : Number(units > 0n);
}

/** Rounds half to even. */
export function roundHalfEven({ units, scale }: Decimal, digits: number): Decimal {
  if (scale <= digits) return { units: unitsAt({ units, scale }, digits), scale: digits };
  const unit = 10n ** BigInt(scale - digits);
  const floor = floorTo(units, unit);
  const twice = (units - floor * unit) * 2n;
  const isUp = twice > unit || (twice === unit && floor % 2n !== 0n);
  return { units: isUp ? floor + 1n : floor, scale: digits };
}

/** How often the unit is in the amount, rounded down. */
function floorTo(amount: bigint, unit: bigint): bigint {
  const quotient = amount / unit;
  return amount < 0n && quotient * unit !== amount ? quotient - 1n : quotient;
}

/** As decimal text with all its digits after the point. */
export function print({ units, scale }: Decimal): string {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  const at = digits.length - scale;
  const fraction = scale === 0 ? '' : `.${digits.slice(at)}`;
  return `${units < 0n ? '-' : ''}${digits.slice(0, at)}${fraction}`;
}

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
