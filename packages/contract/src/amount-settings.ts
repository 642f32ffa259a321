import { type Static, Type } from 'typebox';
import { type AmountWord, DEFAULT_ACTION_WORDS, DEFAULT_AMOUNT_WORDS } from './amount-words.js';

const CLOSED = { additionalProperties: false } as const;

const Words = (fallback: readonly string[], description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
    maxItems: 300,
    default: [...fallback],
    description,
  });

const keys = (word: AmountWord, description: string) =>
  Words(DEFAULT_AMOUNT_WORDS[word], description);

/** What words of keys say. */
export const AmountWords = Type.Object(
  {
    approved: keys('approved', 'Beside a word of money: the amount that was decided.'),
    claimed: keys('claimed', 'What somebody asks for, with all that lies in it.'),
    read: keys(
      'read',
      'What bounds money, or was before: limits, balances, history. With all that lies in it, it is never at risk.',
    ),
    total: keys('total', 'Money: the sum of what lies beside it.'),
    amount: keys('amount', 'Money.'),
    price: keys('price', 'Money: of one piece, if a quantity stands beside it.'),
    unit: keys('unit', 'Money of one piece.'),
    extra: keys('extra', 'Money that comes with an amount: fees, taxes, tips, discounts.'),
    value: keys(
      'value',
      'Money where the key around it means money, or a currency stands beside it.',
    ),
    quantity: keys('quantity', 'How many pieces a price is for.'),
    currency: keys('currency', 'The currency of the amounts beside it.'),
    other: keys('other', 'A key with such a word is no money.'),
  },
  {
    ...CLOSED,
    description:
      'What words of keys mean, in small letters without accents. A `*` at the beginning or the end of a word stands for ' +
      'any further letters.',
  },
);
export type AmountWords = Static<typeof AmountWords>;

/** What words of action types say. */
export const ActionWords = Type.Object(
  {
    reads: Words(
      DEFAULT_ACTION_WORDS.reads,
      'Steps that look up, ask or advise, by their first or last word: nothing of them is at risk.',
    ),
    approves: Words(
      DEFAULT_ACTION_WORDS.approves,
      'Steps that approve or carry out what was claimed, by their first or last word.',
    ),
  },
  {
    ...CLOSED,
    description:
      'What words of action types mean, written as those of `amount_words`. A whole action type may stand among them.',
  },
);
export type ActionWords = Static<typeof ActionWords>;
