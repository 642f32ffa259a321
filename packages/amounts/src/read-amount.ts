import { isCurrency, minorUnits } from '@decision-ledger/contract/currency';
import type { JsonValue } from '@decision-ledger/proof/gate';
import { Big } from 'big.js';

/** An amount that a payload states. */
export interface ReadAmount {
  /** Canonical decimal text, signed: `-19.9`. */
  readonly decimal: string;
  /** ISO 4217 code, if the text names one. */
  readonly currency: string | null;
  /** Whether it was written without a fraction: it may then be in minor units. */
  readonly isInteger: boolean;
}

/** Longer text is prose, not an amount. */
const MAX_CHARS = 48;
const MAX_DIGITS = 24;

const PLAIN = /^-?\d{1,24}(?:\.\d{1,24})?$/;
const SYMBOLS: ReadonlyMap<string, string | null> = new Map([
  ['€', 'EUR'],
  ['£', 'GBP'],
  ['₹', 'INR'],
  ['₩', 'KRW'],
  ['zł', 'PLN'],
  // Several currencies share these.
  ['$', null],
  ['¥', null],
]);

/**
 * The currency that a text names by its code or symbol.
 * @returns null for a symbol that several currencies share, undefined for anything else
 */
export function currencyNamed(text: string): string | null | undefined {
  const symbol = SYMBOLS.get(text);
  if (symbol !== undefined) return symbol;
  const code = text.length === 3 ? text.toUpperCase() : '';
  return isCurrency(code) ? code : undefined;
}

/**
 * Reads an amount from a number or a text: `19.9`, `"19.90"`, `"19.90 EUR"`, `"€1,990.00"`, `"1.990,00"`.
 * @param sibling ISO 4217 code that is stated beside the value
 * @returns null for anything else, and for a text with two readings, such as `"1,990"`
 */
export function readAmount(value: JsonValue, sibling: string | null = null): ReadAmount | null {
  if (typeof value === 'number') return fromNumber(value);
  if (typeof value !== 'string' || value.length > MAX_CHARS) return null;
  const text = value.trim();
  if (!/\d/.test(text)) return null;
  if (PLAIN.test(text)) return toAmount(text, null);
  const written = splitCurrency(text);
  if (written === null) return null;
  const { currency, figures } = written;
  const signed = splitSign(figures);
  const digits = signed === null ? null : readDigits(signed.digits, currency ?? sibling);
  if (signed === null || digits === null) return null;
  return toAmount(`${signed.isNegative ? '-' : ''}${digits}`, currency);
}

function fromNumber(value: number): ReadAmount | null {
  // The shortest text of such a number is its decimal text.
  if (Number.isSafeInteger(value) && value !== 0) {
    return { decimal: String(value), currency: null, isInteger: true };
  }
  const text = new Big(value).toFixed();
  return text.length > MAX_CHARS ? null : toAmount(text, null);
}

function toAmount(text: string, currency: string | null): ReadAmount {
  return { decimal: new Big(text).toFixed(), currency, isInteger: !text.includes('.') };
}

interface Written {
  readonly currency: string | null;
  /** The text without the currency. */
  readonly figures: string;
}

/** @returns null if the text has letters or symbols that are not one currency */
function splitCurrency(text: string): Written | null {
  const head = /^[^\d\s.,'()+−-]{1,3}/u.exec(text)?.[0] ?? '';
  const tail = /[^\d\s.,'()+−-]{1,3}$/u.exec(text.slice(head.length))?.[0] ?? '';
  if (head !== '' && tail !== '') return null;
  const figures = text.slice(head.length, text.length - tail.length).trim();
  const name = head + tail;
  if (name === '') return { currency: null, figures };
  const currency = currencyNamed(name);
  return currency === undefined ? null : { currency, figures };
}

/** Understands a leading or trailing sign, and the parentheses of accountants. */
function splitSign(text: string): { digits: string; isNegative: boolean } | null {
  if (text.startsWith('(') && text.endsWith(')')) {
    return { digits: text.slice(1, -1).trim(), isNegative: true };
  }
  const leading = /^[+−-]/.exec(text)?.[0];
  const trailing = /[−-]$/.exec(text)?.[0];
  if (leading !== undefined && trailing !== undefined) return null;
  const digits = text.slice(leading?.length ?? 0, text.length - (trailing?.length ?? 0)).trim();
  const sign = leading ?? trailing ?? '+';
  return { digits, isNegative: sign !== '+' };
}

const GROUPING = /^\d{1,3}(?:[ '\u00a0\u202f]\d{3})+(?=$|[.,])/;

/** @returns plain decimal text; null if the separators have two readings or none */
function readDigits(written: string, currency: string | null): string | null {
  const text = GROUPING.test(written) ? written.replace(/[ '\u00a0\u202f]/g, '') : written;
  if (!/^\d[\d.,]*$/.test(text) || !/\d$/.test(text) || text.length > MAX_DIGITS) return null;
  const last = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','));
  if (last < 0) return text;
  const point = text.charAt(last);
  const [whole, fraction] = [text.slice(0, last), text.slice(last + 1)];
  const other = point === '.' ? ',' : '.';
  if (whole.includes(other)) {
    return isGrouped(whole, other) ? `${whole.replaceAll(other, '')}.${fraction}` : null;
  }
  if (whole.includes(point)) return isGrouped(text, point) ? text.replaceAll(point, '') : null;
  // Three digits after the only separator may be a fraction or a group.
  const isAmbiguous = fraction.length === 3 && whole.length <= 3 && text === written;
  const decimals = isAmbiguous ? decimalsOf(currency, point) : fraction.length;
  if (decimals === null) return null;
  return decimals === 0 ? `${whole}${fraction}` : `${whole}.${fraction}`;
}

/** Of three digits after the only separator: 0 where they are a group, null where they may be one. */
function decimalsOf(currency: string | null, point: string): number | null {
  const usual = currency !== null && isCurrency(currency) ? minorUnits(currency) : null;
  return usual === 0 || (usual === 3 && point === '.') ? usual : null;
}

function isGrouped(text: string, separator: string): boolean {
  const [first = '', ...groups] = text.split(separator);
  return (
    /^\d{1,3}$/.test(first) && groups.length > 0 && groups.every((group) => /^\d{3}$/.test(group))
  );
}
