/** An exact rational number. */
export interface Fraction {
  readonly n: bigint;
  readonly d: bigint;
}

export const whole = (n: bigint | number): Fraction => ({ n: BigInt(n), d: 1n });
export const NOTHING = whole(0);

export const plus = (a: Fraction, b: Fraction): Fraction =>
  reduce({ n: a.n * b.d + b.n * a.d, d: a.d * b.d });
export const times = (a: Fraction, b: Fraction): Fraction => reduce({ n: a.n * b.n, d: a.d * b.d });
export const over = (a: Fraction, b: Fraction): Fraction =>
  times(a, b.n < 0n ? { n: -b.d, d: -b.n } : { n: b.d, d: b.n });
export const negative = ({ n, d }: Fraction): Fraction => ({ n: -n, d });
export const absolute = ({ n, d }: Fraction): Fraction => ({ n: n < 0n ? -n : n, d });
export const total = (all: readonly Fraction[]): Fraction => all.reduce(plus, NOTHING);
export const isBelow = (a: Fraction, b: Fraction): boolean => a.n * b.d < b.n * a.d;
export const toNumber = ({ n, d }: Fraction): number => Number((n * 10n ** 12n) / d) / 10 ** 12;

function reduce({ n, d }: Fraction): Fraction {
  let [a, b] = [n < 0n ? -n : n, d];
  while (b !== 0n) [a, b] = [b, a % b];
  return a === 0n ? { n: 0n, d: 1n } : { n: n / a, d: d / a };
}

/** @param text a decimal */
export function parse(text: string): Fraction {
  const [head = '', tail = ''] = text.split('.');
  return { n: BigInt(head + tail), d: 10n ** BigInt(tail.length) };
}

/** Rounds half to even, to two decimals. */
export const cents = (value: Fraction): string => rounded(value, 2);

/** Rounds half to even. */
export function rounded({ n, d }: Fraction, decimals: number): string {
  const scaled = { n: (n < 0n ? -n : n) * 10n ** BigInt(decimals), d };
  const quotient = scaled.n / scaled.d;
  const twice = 2n * (scaled.n % scaled.d);
  const up = twice > scaled.d || (twice === scaled.d && quotient % 2n === 1n);
  const digits = String(quotient + (up ? 1n : 0n)).padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  const text = decimals === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`;
  return n < 0n && /[1-9]/.test(text) ? `-${text}` : text;
}

/** Whether a printed decimal differs by less than so many of its units from an exact value. */
export function isNextTo(printed: string, exact: Fraction, units = 1): boolean {
  const [, decimals = ''] = printed.split('.');
  const distance = absolute(plus(parse(printed), negative(exact)));
  return isBelow(distance, { n: BigInt(units), d: 10n ** BigInt(decimals.length) });
}
