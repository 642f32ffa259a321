import { unitOfKey } from '@decision-ledger/amounts/minor-units';
import type { AmountWords } from '@decision-ledger/contract/amount-settings';
import { AMOUNT_WORDS, type AmountWord } from '@decision-ledger/contract/amount-words';
import { CURRENCIES } from '@decision-ledger/contract/currency';
import { wordLists, wordsOfName } from './words.js';

/** How far an amount stands for the whole that is at risk; the highest is taken. */
export const RANKS = {
  ...{ approved: 6, total: 5, amount: 4, list: 3, line: 2, value: 1, extra: 0 },
} as const;
export type Rank = keyof typeof RANKS;

/** What a word makes of the amount under its key. */
interface Effect {
  /** The word with the lowest number decides; null: it does not make the key one of money. */
  readonly order: number | null;
  readonly rank: Rank;
}

const NONE: Effect = { order: null, rank: 'value' };

/** What each word does. `approved` alone is no money: it raises the amount that it stands beside. */
const EFFECTS: Readonly<Record<AmountWord, Effect>> = {
  extra: { order: 0, rank: 'extra' },
  total: { order: 1, rank: 'total' },
  unit: { order: 2, rank: 'line' },
  price: { order: 3, rank: 'amount' },
  amount: { order: 4, rank: 'amount' },
  ...{ approved: NONE, claimed: NONE, read: NONE, value: NONE },
  ...{ quantity: NONE, currency: NONE, other: NONE },
};

/** Codes of currencies that are English words. */
const ALSO_WORDS = new Set(['ALL', 'TRY', 'TOP', 'PEN', 'CUP', 'MOP']);

/** What a key says about a value. */
export interface KeyMeaning {
  readonly words: readonly string[];
  /** Whether a value under it is money. */
  readonly isMoney: boolean;
  /** The word that says what the amount is; null if none makes it money. */
  readonly decides: AmountWord | null;
  /** Whether all its words are such as `value`: it is what the key around it is. */
  readonly isValue: boolean;
  readonly isApproved: boolean;
  readonly isClaimed: boolean;
  readonly isRead: boolean;
  readonly isQuantity: boolean;
  readonly isCurrency: boolean;
  /** Currency that the key itself names: `amount_eur`. */
  readonly currency: string | null;
  /** Whether its value is in minor units. */
  readonly isMinor: boolean;
}

/** Longer keys are prose. */
const MAX_KEY = 100;
export const NO_MEANING: KeyMeaning = {
  ...{ words: [], isMoney: false, decides: null, isValue: false, isApproved: false },
  ...{ isClaimed: false, isRead: false, isQuantity: false, isCurrency: false },
  ...{ currency: null, isMinor: false },
};

export function keyReader(words: AmountWords): (key: string) => KeyMeaning {
  const lists = wordLists(AMOUNT_WORDS.map((kind) => [kind, words[kind]] as const));
  return (key) => {
    if (key.length > MAX_KEY) return NO_MEANING;
    const words = wordsOfName(key);
    const kinds = words.map(lists);
    const has = (kind: AmountWord): boolean => kinds.some((of) => of.has(kind));
    const decides = AMOUNT_WORDS.filter(
      (kind) => EFFECTS[kind].order !== null && has(kind),
    ).reduce<AmountWord | null>(firstOf, null);
    // `valor_solicitado` is an amount as `importe_solicitado` is.
    const isDecidedValue = has('value') && (has('approved') || has('claimed'));
    return {
      words,
      isMoney: !has('other') && (decides !== null || isDecidedValue),
      decides,
      isValue: kinds.length > 0 && kinds.every((of) => of.has('value')),
      isApproved: has('approved'),
      isClaimed: has('claimed'),
      isRead: has('read'),
      isQuantity: has('quantity'),
      isCurrency: has('currency'),
      currency: currencyIn(words),
      isMinor: unitOfKey(key) === 'minor',
    };
  };
}

function currencyIn(words: readonly string[]): string | null {
  const code = (words.length > 1 ? (words.at(-1) ?? '') : '').toUpperCase();
  return code.length === 3 && !ALSO_WORDS.has(code) && CURRENCIES.has(code) ? code : null;
}

/** What an amount under a key is, given the key of the object around it. */
export interface AmountMeaning {
  readonly rank: Rank;
  /** Whether it is the price of one piece: a unit price, or a price that a quantity stands beside. */
  readonly isOfOne: boolean;
}

/** What stands beside a key. */
export interface Beside {
  readonly hasCurrency: boolean;
  readonly hasQuantity: boolean;
}

/** @returns null if the key means no money */
export function moneyMeaning(
  own: KeyMeaning,
  outer: KeyMeaning,
  { hasCurrency, hasQuantity }: Beside,
): AmountMeaning | null {
  const { decides: around } = outer;
  const isMoney = own.isValue ? around !== null || hasCurrency : own.isMoney;
  if (!isMoney) return null;
  const decided = firstOf(own.decides, around);
  const isOfOne = decided === 'unit' || (decided === 'price' && hasQuantity);
  const isApproved = own.isApproved || outer.isApproved;
  if (isApproved && decided !== 'extra') return { rank: 'approved', isOfOne };
  if (isOfOne) return { rank: 'line', isOfOne };
  return { rank: decided === null ? 'value' : EFFECTS[decided].rank, isOfOne };
}

function firstOf(one: AmountWord | null, other: AmountWord | null): AmountWord | null {
  if (one === null || other === null) return one ?? other;
  return (EFFECTS[one].order ?? 0) <= (EFFECTS[other].order ?? 0) ? one : other;
}
