import type { Features, Form, StatedAmount } from './features.js';

/** A mention with 32-bit hashes in place of texts. The hashes include the ledger. */
export interface HashedMention {
  readonly canonical: number;
  readonly raw: number;
  /** 0 without a key. */
  readonly key: number;
  readonly form: Form;
  /** 0 without a digit core. */
  readonly digits: number;
  /** Hash of the kind that the key names (order, customer …); 0 if it names none. */
  readonly kind: number;
  /** Hash of the shape of the value: which of its characters are digits and letters. */
  readonly shape: number;
}

export interface HashedAmount extends Omit<StatedAmount, 'key' | 'currency'> {
  /** Hash of the canonical decimal. */
  readonly token: number;
  /** Hash of the key. */
  readonly key: number;
  /** ISO 4217 code; null if none is stated. */
  readonly currency: string | null;
}

export interface HashedFeatures {
  readonly mentions: readonly HashedMention[];
  readonly amounts: readonly HashedAmount[];
  readonly textIds: number;
}

/** @param ledgerId part of the hash, so that ledgers share no values in an index */
export function hashFeatures(_ledgerId: string, _features: Features): HashedFeatures {
  throw new Error('not implemented');
}

/** Tokens that select candidates, of a decision (indexed) and of an event (looked up). */
export function lookupTokens(_features: HashedFeatures): number[] {
  throw new Error('not implemented');
}

/** The tokens of identifiers among them, which are looked up without a time window. */
export function idTokens(_features: HashedFeatures): number[] {
  throw new Error('not implemented');
}

/** Tokens whose frequency among decisions is counted: the look-up tokens and the amounts. */
export function countedTokens(_features: HashedFeatures): number[] {
  throw new Error('not implemented');
}

/** A versioned compact form. */
export function packFeatures(_features: HashedFeatures): Buffer {
  throw new Error('not implemented');
}

/** @throws {RangeError} for another version */
export function unpackFeatures(_bytes: Buffer): HashedFeatures {
  throw new Error('not implemented');
}
