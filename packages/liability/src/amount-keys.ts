import { unitOfKey } from '@decision-ledger/amounts/minor-units';
import { CURRENCIES } from '@decision-ledger/contract/currency';

/** Words of keys that hold money. */
const MONEY = new Set(
  (
    'amount amounts amt total subtotal price cost sum payment refund charge chargeback fee principal ' +
    'payout premium salary loan revenue spend debit credit deposit withdrawal transfer fare fine ' +
    'penalty compensation reimbursement'
  ).split(' '),
);
/** Words of keys that bound money, or name money that others hold: also all that lies in such an object. */
const BOUNDS = new Set(
  (
    'limit limits balance balances max maximum min minimum threshold cap ceiling floor available ' +
    'remaining budget quota previous old before lifetime'
  ).split(' '),
);
/** Words of keys that describe money, or count something else. */
const NOT_MONEY = new Set(
  (
    'count number num quantity qty tokens items days hours minutes seconds ms rate ratio percent ' +
    'percentage pct score id ids ref reference date time timestamp at type status method name currency ' +
    'code reason version index rank probability'
  ).split(' '),
);
/** Keys inside an object whose own key means money: `amount: { value, currency }`. */
const INNER = new Set(['value', 'number', 'minor', 'major', 'decimal', 'cents', 'units']);
/** Codes of currencies that are English words. */
const ALSO_WORDS = new Set(['ALL', 'TRY', 'TOP', 'PEN', 'CUP', 'MOP']);

/** What a key says about a value. */
export interface KeyMeaning {
  readonly words: readonly string[];
  readonly isMoney: boolean;
  /** Whether it is a limit, a balance or a former value, with all that lies in it. */
  readonly isBound: boolean;
  readonly isInner: boolean;
  /** Whether its value is the currency of its siblings. */
  readonly isCurrency: boolean;
  /** Currency that the key itself names: `amount_eur`. */
  readonly currency: string | null;
  /** Whether its value is in minor units. */
  readonly isMinor: boolean;
}

/** Longer keys are prose. */
const MAX_KEY = 100;
const NO_MEANING: KeyMeaning = {
  ...{
    words: [],
    isMoney: false,
    isBound: false,
    isInner: false,
    isCurrency: false,
    currency: null,
    isMinor: false,
  },
};

export function meaningOf(key: string): KeyMeaning {
  if (key.length > MAX_KEY) return NO_MEANING;
  const words = wordsOfName(key);
  const isBound = words.some((word) => BOUNDS.has(word));
  const isCurrencyKey = words.some((word) => word === 'currency' || word === 'ccy');
  return {
    words,
    isMoney:
      !isBound &&
      words.some((word) => MONEY.has(word)) &&
      !words.some((word) => NOT_MONEY.has(word)),
    isBound,
    isInner: words.every((word) => INNER.has(word)) && words.length > 0,
    isCurrency: isCurrencyKey,
    currency: currencyIn(words),
    isMinor: unitOfKey(key) === 'minor',
  };
}

function currencyIn(words: readonly string[]): string | null {
  const code = (words.length > 1 ? (words.at(-1) ?? '') : '').toUpperCase();
  return code.length === 3 && !ALSO_WORDS.has(code) && CURRENCIES.has(code) ? code : null;
}

/** The lower-case words of `refundAmount` or `refund_amount`. */
export function wordsOfName(name: string): string[] {
  return name
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}
