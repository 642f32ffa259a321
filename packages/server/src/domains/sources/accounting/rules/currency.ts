const SYMBOLS: Readonly<Record<string, string>> = { $: 'USD', '€': 'EUR', '£': 'GBP' };
const CODES = new Set(Intl.supportedValuesOf('currency'));

/** The ISO 4217 code of a code or of `$`, `€`, `£`; null for any other text. */
export function toCurrency(commodity: string): string | null {
  const code = Object.hasOwn(SYMBOLS, commodity) ? SYMBOLS[commodity] : commodity;
  return code !== undefined && CODES.has(code) ? code : null;
}
