import type { AmountWords } from '@decision-ledger/contract/amount-settings';
import { isObject, type JsonObject } from './json-object.js';
import { wordLists, wordsOfName } from './words.js';

const MAX_VALUES = 200;
const MAX_TEXT = 40;

/** Tells whether outputs, or an object in them, say that what was asked for is approved: `approved: true`, `"genehmigt"`. */
export function approvalReader(words: AmountWords): (outputs: JsonObject | undefined) => boolean {
  const lists = wordLists([['approved', words.approved]]);
  const isApproval = (text: string): boolean => {
    const [only, second] = text.length > MAX_TEXT ? [] : wordsOfName(text);
    return only !== undefined && second === undefined && lists(only).has('approved');
  };
  const says = (object: JsonObject): boolean =>
    Object.entries(object)
      .slice(0, MAX_VALUES)
      .some(
        ([key, value]) =>
          (value === true && isApproval(key)) || (typeof value === 'string' && isApproval(value)),
      );
  return (outputs) =>
    outputs !== undefined &&
    (says(outputs) ||
      Object.values(outputs)
        .slice(0, MAX_VALUES)
        .some((value) => isObject(value) && says(value)));
}
