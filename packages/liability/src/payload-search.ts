import { times } from '@decision-ledger/amounts/decimals';
import { fromMinorUnits } from '@decision-ledger/amounts/minor-units';
import { currencyNamed, type ReadAmount, readAmount } from '@decision-ledger/amounts/read-amount';
import type { PayloadUnits } from '@decision-ledger/contract/source-profiles';
import type { JsonValue } from '@decision-ledger/proof/gate';
import { type KeyMeaning, moneyMeaning, NO_MEANING, type Rank } from './amount-keys.js';
import { addUp, type Candidate } from './candidates.js';
import { isObject, type JsonObject } from './json-object.js';
import { type UnitReader, unitAt } from './payload-units.js';
import { haveOneStem } from './words.js';

/** Limits of the search of one payload, so that its time is bounded. */
const MAX_DEPTH = 8;
const MAX_VALUES = 1000;
const MAX_JSON_CHARS = 65_536;

/** What amounts are searched with. */
export interface SearchTerms {
  readonly meanings: (key: string) => KeyMeaning;
  readonly units: UnitReader;
  /** Paths of amounts in minor units. */
  readonly minorPaths: ReadonlySet<string>;
  /** Currency of amounts in minor units without a currency. */
  readonly base: string;
}

/** Where a value stands. */
export interface Place {
  readonly path: string;
  /** Key of the value; empty for none. */
  readonly key: string;
  readonly meaning: KeyMeaning;
  readonly depth: number;
  /** Currency stated further out: null if none, undefined if it is no currency. */
  readonly currency: string | null | undefined;
  /** Quantity of what it is part of; null if none is stated. */
  readonly quantity: string | null;
  readonly isClaim: boolean;
  /** The rows about units that apply around it. */
  readonly units: readonly PayloadUnits[];
}

/** Searches one payload for amounts. */
export class PayloadSearch {
  readonly #terms: SearchTerms;
  readonly #action: readonly string[];
  readonly #isUndone: (element: JsonObject) => boolean;
  #values = MAX_VALUES;
  #chars = MAX_JSON_CHARS;

  /**
   * @param action words of the action type that may name an amount
   * @param isUndone whether an element of a batch was denied or failed
   */
  constructor(
    terms: SearchTerms,
    action: readonly string[],
    isUndone: (element: JsonObject) => boolean,
  ) {
    this.#terms = terms;
    this.#action = action;
    this.#isUndone = isUndone;
  }

  /** All amounts of a value. */
  find(value: JsonValue, place: Place): Candidate[] {
    const found: Candidate[] = [];
    this.#collect(found, value, place);
    return found;
  }

  /** The currency that an object states; see `Place`. */
  currencyIn(object: JsonObject): string | null | undefined {
    return currencyOf(object, this.#read(keysOf(object)));
  }

  /** An amount, whatever its key means; null if the value is none. */
  amount(
    value: JsonValue,
    place: Place,
    outer: Pick<Place, 'key' | 'meaning'>,
    rank: Rank,
  ): Candidate | null {
    const { currency, meaning, isClaim } = place;
    const read = currency === undefined ? null : readBounded(value, currency);
    if (read === null) return null;
    const unit = read.currency ?? currency ?? null;
    const { minorPaths, base } = this.#terms;
    const stated = unitAt(place.units, outer.key, place.key);
    const isMinor =
      minorPaths.has(place.path) || (stated ?? (meaning.isMinor ? 'minor' : 'major')) === 'minor';
    const decimal = isMinor ? fromMinorUnits(read.decimal, unit ?? base) : read.decimal;
    const amount = decimal.startsWith('-') ? decimal.slice(1) : decimal;
    const isNamed = this.#names(outer.meaning) || this.#names(meaning);
    return { isClaim, amount, currency: unit, rank, isNamed };
  }

  /** Whether a key names what the action is about. */
  #names({ words }: KeyMeaning): boolean {
    return words.some((word) => this.#action.some((named) => haveOneStem(named, word)));
  }

  #collect(found: Candidate[], value: JsonValue, place: Place): void {
    if (place.depth > MAX_DEPTH) return;
    const inside = typeof value === 'string' ? this.#parse(value) : value;
    if (Array.isArray(inside)) found.push(...this.#sum(inside, place));
    else if (isObject(inside)) this.#enter(found, inside, place);
  }

  #enter(found: Candidate[], object: JsonObject, place: Place): void {
    const keys = keysOf(object);
    const isBatch = keys.length > 0 && keys.every((key) => /\d/.test(key));
    if (isBatch) {
      const elements = keys.flatMap((key) => object[key] ?? []);
      found.push(...this.#sum(elements, place));
    } else {
      this.#members(found, object, this.#read(keys), place);
    }
  }

  /** Each member of the objects is named: on this path, spreading costs more than the search. */
  #members(found: Candidate[], object: JsonObject, read: ReadKeys, place: Place): void {
    const own = currencyOf(object, read);
    const ownQuantity = quantityOf(object, read);
    const quantity = ownQuantity ?? place.quantity;
    const beside = { hasCurrency: typeof own === 'string', hasQuantity: quantity !== null };
    const units = this.#terms.units.enter(object, place.units);
    for (const { key, meaning } of read) {
      this.#values -= 1;
      if (this.#values < 0) break;
      const value = object[key] ?? null;
      if (value === null || typeof value === 'boolean' || meaning.isRead) continue;
      const money = typeof value === 'object' ? null : moneyMeaning(meaning, place.meaning, beside);
      if (money === null && typeof value !== 'object' && !mayBeJson(value)) continue;
      const inner: Place = {
        path: `${place.path}.${key}`,
        key,
        meaning,
        depth: place.depth + 1,
        currency: meaning.currency ?? (own === null ? place.currency : own),
        quantity: ownQuantity,
        isClaim: place.isClaim || meaning.isClaimed,
        units,
      };
      if (money === null) this.#collect(found, value, inner);
      else {
        const amount = this.amount(value, inner, place, money.rank);
        const pieces = money.isOfOne ? quantity : null;
        if (amount !== null) found.push(pieces === null ? amount : ofPieces(amount, pieces));
      }
    }
  }

  #read(keys: readonly string[]): ReadKeys {
    const { meanings } = this.#terms;
    return keys.slice(0, Math.max(0, this.#values)).map((key) => ({ key, meaning: meanings(key) }));
  }

  #sum(elements: readonly JsonValue[], place: Place): Candidate[] {
    const money = moneyMeaning(place.meaning, NO_MEANING, NOTHING_BESIDE);
    const inner = { ...place, depth: place.depth + 1, quantity: null };
    const all: Candidate[][] = [];
    for (const element of elements) {
      this.#values -= 1;
      if (this.#values < 0) break;
      if (typeof element === 'object' || mayBeJson(element)) {
        if (isObject(element) && this.#isUndone(element)) continue;
        all.push(this.find(element, inner));
      } else if (money !== null) {
        const amount = this.amount(element, place, NO_PLACE, money.rank);
        if (amount !== null) all.push([amount]);
      }
    }
    return addUp(all);
  }

  /** A JSON text that is whole is what it says. */
  #parse(text: string): JsonValue {
    if (!mayBeJson(text) || text.length > this.#chars) return text;
    this.#chars -= text.length;
    try {
      const value: JsonValue = JSON.parse(text);
      return value;
    } catch {
      return text;
    }
  }
}

/** Where neither a currency nor a quantity stands beside it, nor a key around it. */
const NOTHING_BESIDE = { hasCurrency: false, hasQuantity: false };
const NO_PLACE = { key: '', meaning: NO_MEANING };

const mayBeJson = (value: JsonValue): boolean =>
  typeof value === 'string' && /^\s*[[{]/.test(value);

/** In the order in which the payload is recorded, so that what was sent is read as what is stored. */
const keysOf = (object: JsonObject): string[] => Object.keys(object).sort();

type ReadKeys = readonly { readonly key: string; readonly meaning: KeyMeaning }[];

/** @returns null if the object states no currency, undefined if it states something else as one */
function currencyOf(object: JsonObject, keys: ReadKeys): string | null | undefined {
  for (const { key, meaning } of keys) {
    const value = meaning.isCurrency ? (object[key] ?? null) : null;
    if (value === null) continue;
    return typeof value === 'string' ? currencyNamed(value) : undefined;
  }
  return null;
}

const MAX_DIGITS = 20;
/** Numbers as JSON writes them, up to the size where that has an exponent. Larger ones are identifiers, not money. */
const PLAIN_NUMBER = /^-?[0-9]{1,20}(?:\.[0-9]{1,20})?$/;

function quantityOf(object: JsonObject, keys: ReadKeys): string | null {
  for (const { key, meaning } of keys) {
    const text = meaning.isQuantity ? String(object[key]) : '';
    if (PLAIN_NUMBER.test(text) && Number(text) > 0) return text;
  }
  return null;
}

const ofPieces = (one: Candidate, quantity: string): Candidate => ({
  ...one,
  amount: times(one.amount, quantity),
});

function readBounded(value: JsonValue, currency: string | null): ReadAmount | null {
  if (typeof value === 'number') {
    const decimal = String(value);
    // The usual case, without the cost of decimal arithmetic.
    if (PLAIN_NUMBER.test(decimal)) return { decimal, currency: null, isInteger: false };
  }
  const amount = readAmount(value, currency);
  if (amount === null) return null;
  const whole = amount.decimal.replace('-', '').split('.')[0] ?? '';
  return whole.length > MAX_DIGITS ? null : amount;
}
