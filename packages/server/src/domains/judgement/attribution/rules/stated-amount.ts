import type { JsonValue } from '@decision-ledger/proof/gate';
import { readAmount, type Unit } from '../../amounts/index.js';
import { namesAnAmount } from './canonical.js';
import type { StatedAmount } from './mention.js';

interface Where {
  readonly key: string;
  readonly currency: string | null;
  readonly unit: Unit;
}

const MAX_VALUE = 1e15;

/** The amount that a member states; null for zero and for what cannot be read in one way. */
export function amountOf(value: JsonValue, { key, currency, unit }: Where): StatedAmount | null {
  const read = readAmount(value, currency);
  if (read === null) return null;
  const signed = Number(read.decimal);
  const magnitude = Math.abs(signed);
  if (magnitude === 0 || magnitude > MAX_VALUE) return null;
  const stated = read.currency ?? currency;
  const isWhole = Number.isInteger(magnitude);
  return {
    value: magnitude,
    currency: stated,
    unit: unit === 'unknown' && (!isWhole || !read.isInteger) ? 'major' : unit,
    isMoney:
      namesAnAmount(key) ||
      key === 'text' ||
      stated !== null ||
      unit === 'minor' ||
      // A decimal below 1 is more often a score or a rate.
      (!isWhole && magnitude >= 1),
    isNegative: signed < 0,
    key,
  };
}
