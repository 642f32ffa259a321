/** A decimal number as text, as the API writes money: exact, with as many digits as it has. */
export type Decimal = `${number}`;

const DECIMAL = /^-?\d+(?:\.\d+)?$/;

export function isDecimal(text: string): text is Decimal {
  return DECIMAL.test(text);
}

/** Number of digits after the point. */
export function scaleOf(amount: string): number {
  return amount.split('.')[1]?.length ?? 0;
}

/**
 * The exact sum, with as many digits after the point as the longest of the amounts.
 * @throws RangeError if an amount is no decimal
 */
export function sumOf(amounts: readonly string[]): Decimal {
  const scale = Math.max(0, ...amounts.map(scaleOf));
  return textOf(
    amounts.reduce((sum, amount) => sum + unitsOf(amount, scale), 0n),
    scale,
  );
}

export function isZero(amount: string): boolean {
  return /^-?0+(?:\.0+)?$/.test(amount);
}

/** The exact difference of two amounts of one currency. */
export function differenceOf(before: string, after: string): Decimal {
  return sumOf([after, negated(before)]);
}

export function negated(amount: string): string {
  if (isZero(amount)) return amount;
  return amount.startsWith('-') ? absoluteOf(amount) : `-${amount}`;
}

/** The amount without its sign. */
export function absoluteOf(amount: string): string {
  return amount.startsWith('-') ? amount.slice(1) : amount;
}

/** The same number without zeros at its end: `1.500000` is `1.5`. */
export function shortened(amount: string): string {
  return amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount;
}

/**
 * The order of two amounts: below zero if the first is smaller.
 * @throws RangeError if an amount is no decimal
 */
export function compareDecimals(left: string, right: string): number {
  const scale = Math.max(scaleOf(left), scaleOf(right));
  const difference = unitsOf(left, scale) - unitsOf(right, scale);
  return difference === 0n ? 0 : difference < 0n ? -1 : 1;
}

/**
 * A position on an axis. Rounded, so it is neither displayed nor summed.
 */
export function coordinateOf(amount: string): number {
  return Number(amount);
}

function unitsOf(amount: string, scale: number): bigint {
  if (!isDecimal(amount)) throw new RangeError(`${amount} is not a decimal amount`);
  const [whole = '', part = ''] = amount.split('.');
  return BigInt(whole + part.padEnd(scale, '0'));
}

function textOf(units: bigint, scale: number): Decimal {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const part = scale === 0 ? '' : `.${digits.slice(-scale)}`;
  const text = `${units < 0n ? '-' : ''}${whole}${part}`;
  if (!isDecimal(text)) throw new RangeError(`${text} is not a decimal amount`);
  return text;
}
