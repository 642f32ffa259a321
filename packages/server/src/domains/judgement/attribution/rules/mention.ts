/**
 * Where a value was found, and what it looks like. A `word` is any other scalar value, such as a city;
 * it never identifies a transaction by itself.
 */
export type Form = 'key' | 'text' | 'word';

/** A value that a decision and an event may share. */
export interface Mention {
  /** NFKC, case folded, without separators and zero padding. */
  readonly canonical: string;
  /** The value as it is written, trimmed. */
  readonly raw: string;
  /** Normalised key; empty in text. */
  readonly key: string;
  readonly form: Form;
  /** Its longest run of at least six digits, without zero padding; else empty. */
  readonly digits: string;
  /** How many identifiers its text states: they divide what each of them weighs. 1 for other forms. */
  readonly among: number;
}

/** An amount that a payload states. */
export interface StatedAmount {
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
  readonly amounts: readonly StatedAmount[];
}
