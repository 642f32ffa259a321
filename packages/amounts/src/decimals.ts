import { Big } from 'big.js';

/**
 * @param one decimal text
 * @param other decimal text
 * @returns canonical decimal text
 * @example
 * ```ts
 * import { plus } from '@decision-ledger/amounts/decimals';
 *
 * plus('0.1', '0.2'); // => '0.3'
 * ```
 */
export const plus = (one: string, other: string): string => new Big(one).plus(other).toFixed();

/**
 * @param one decimal text
 * @param other decimal text
 * @returns canonical decimal text
 * @example
 * ```ts
 * import { times } from '@decision-ledger/amounts/decimals';
 *
 * times('19.9', '3'); // => '59.7'
 * ```
 */
export const times = (one: string, other: string): string => new Big(one).times(other).toFixed();
