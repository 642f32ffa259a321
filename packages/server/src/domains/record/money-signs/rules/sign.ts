export type Sign = 1 | 0 | -1;

const ZERO = /^-?0+(?:\.0+)?$/;

/** @param amount decimal text */
export function signOf(amount: string): Sign {
  if (ZERO.test(amount)) return 0;
  return amount.startsWith('-') ? -1 : 1;
}

/** The amount with another sign, and the same digits. Zero keeps none. */
export function withSign(amount: string, sign: Sign): string {
  const magnitude = amount.startsWith('-') ? amount.slice(1) : amount;
  return sign < 0 && signOf(amount) !== 0 ? `-${magnitude}` : magnitude;
}
