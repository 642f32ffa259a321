import { readAmount } from '@decision-ledger/amounts/read-amount';
import type { JsonValue } from '@decision-ledger/proof/gate';
import type { Key } from './keys.js';

/**
 * Where a value was found, and what it looks like. A `word` is any other scalar value, such as a city;
 * it never identifies a transaction by itself. `shortened` is an identifier of an event without a figure
 * that may be a check digit; it counts where the ledger shows that it is one.
 */
export type MentionForm = 'key' | 'text' | 'word' | 'shortened';

/** A value that a decision and an event may share. */
export interface Mention {
  /** NFKC, case folded, without separators and zero padding. */
  readonly canonical: string;
  /** The value as it is written, trimmed, with digits of ASCII. */
  readonly raw: string;
  /** Without a name in text. */
  readonly key: Key;
  readonly form: MentionForm;
  /** Its longest run of at least six digits, without zero padding; else empty. */
  readonly digits: string;
  /** How many identifiers its text states: they divide what each of them weighs. 1 for other forms. */
  readonly among: number;
}

/** An amount that a payload states. */
export interface MentionedAmount {
  /** Magnitude, as it is written. */
  readonly value: number;
  readonly currency: string | null;
  /** Whether it may be a number of minor units. */
  readonly unit: 'minor' | 'major' | 'unknown';
  /** Whether it surely is money: its key, a currency or its decimals say so. */
  readonly isMoney: boolean;
  /** Whether it is written with a minus sign. */
  readonly isNegative: boolean;
  /** Normalised key, without indexes of lists. */
  readonly key: string;
}

/** The comparable content of a decision or event. */
export interface Features {
  readonly mentions: readonly Mention[];
  readonly amounts: readonly MentionedAmount[];
}

interface Where {
  readonly key: Key;
  readonly currency: string | null;
}

const MAX_VALUE = 1e15;

/** The amount that a member states; null for zero and for what cannot be read in one way. */
export function amountOf(value: JsonValue, { key, currency }: Where): MentionedAmount | null {
  const read = readAmount(value, currency);
  if (read === null) return null;
  const signed = Number(read.decimal);
  const magnitude = Math.abs(signed);
  if (magnitude === 0 || magnitude > MAX_VALUE) return null;
  const stated = read.currency ?? currency;
  const { name, unit } = key;
  const isWhole = Number.isInteger(magnitude);
  return {
    value: magnitude,
    currency: stated,
    unit: unit === 'unknown' && (!isWhole || !read.isInteger) ? 'major' : unit,
    isMoney:
      key.namesAnAmount ||
      name === 'text' ||
      stated !== null ||
      unit === 'minor' ||
      // A decimal below 1 is more often a score or a rate.
      (!isWhole && magnitude >= 1),
    isNegative: signed < 0,
    key: name,
  };
}
