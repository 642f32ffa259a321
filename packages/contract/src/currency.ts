/** placeholder until merge */
export const CURRENCIES: ReadonlyMap<string, number> = new Map([
  ['USD', 2],
  ['EUR', 2],
  ['JPY', 0],
  ['KWD', 3],
  ['ISK', 0],
]);
export function isCurrency(code: string): boolean {
  return CURRENCIES.has(code);
}
