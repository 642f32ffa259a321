import type { JsonValue } from '@decision-ledger/proof/gate';

/** The payload of a decision or event. */
export interface Payload {
  readonly metadata?: JsonValue;
  readonly inputs?: JsonValue;
  readonly outputs?: JsonValue;
  /** Options that the decision weighed. */
  readonly alternatives?: JsonValue;
  /** The reference of an event. */
  readonly external_id?: string;
}

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
  /** Its digits if there are at least six, without zero padding; else empty. */
  readonly digits: string;
}

/** An amount that a payload states. */
export interface StatedAmount {
  /** Magnitude, as it is written. */
  readonly value: number;
  readonly currency: string | null;
  /** Whether it may be a number of minor units. */
  readonly unit: 'minor' | 'major' | 'unknown';
  /** Normalised key, without indexes of lists. */
  readonly key: string;
}

/** The comparable content of a decision or event. */
export interface Features {
  readonly mentions: readonly Mention[];
  readonly amounts: readonly StatedAmount[];
  /** Identifiers that texts of the payload state, which divides what each of them weighs. */
  readonly textIds: number;
}

/** Extracts what can be compared. Linear in the payload, and bounded. */
export function extractFeatures(_payload: Payload): Features {
  throw new Error('not implemented');
}

/** Whether the outputs of a decision report that the action failed or was denied. */
export function saysItFailed(_outputs: JsonValue | undefined): boolean {
  throw new Error('not implemented');
}
