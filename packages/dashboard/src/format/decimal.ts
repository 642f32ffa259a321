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
