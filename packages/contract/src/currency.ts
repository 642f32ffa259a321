/** Active currency codes with their minor-unit exponents (ISO 4217). */
export const CURRENCIES: ReadonlyMap<string, number> = new Map([
  ...['AED', 'AUD', 'BRL', 'CAD', 'CHF', 'CNY', 'CZK', 'DKK', 'EUR', 'GBP', 'HKD'].map(two),
  ...['HUF', 'ILS', 'INR', 'MXN', 'NOK', 'NZD', 'PLN', 'SEK', 'SGD', 'USD', 'ZAR'].map(two),
  ...['CLP', 'ISK', 'JPY', 'KRW', 'VND'].map((code): [string, number] => [code, 0]),
  ...['BHD', 'KWD', 'TND'].map((code): [string, number] => [code, 3]),
]);

function two(code: string): [string, number] {
  return [code, 2];
}

export function isCurrency(code: string): boolean {
  return CURRENCIES.has(code);
}

/** @throws RangeError for a code that is not active */
export function minorUnits(code: string): number {
  const exponent = CURRENCIES.get(code);
  if (exponent === undefined) throw new RangeError(`${code} is no currency code of ISO 4217`);
  return exponent;
}
