import type { JsonValue } from '@decision-ledger/proof/gate';
import { datesIn, isTextId, plainText, textAmounts, textTokens } from './free-text.js';
import {
  canonicalOf,
  digitCoreOf,
  isDateLike,
  isDecimal,
  isGroupedIdentifier,
  isIdentifier,
  isShortIdentifier,
  withAsciiDigits,
} from './identifiers.js';
import { type Key, keyOf } from './keys.js';
import { amountOf, type Features, type Mention, type MentionedAmount } from './mentions.js';
import { numbersWithYear, partOf } from './spellings.js';

/** The payload of a decision or event. */
export interface Payload {
  readonly metadata?: JsonValue | undefined;
  readonly inputs?: JsonValue | undefined;
  readonly outputs?: JsonValue | undefined;
  /** Options that the decision weighed. */
  readonly alternatives?: JsonValue | undefined;
  /** The reference of an event. */
  readonly external_id?: string | undefined;
}

/**
 * Extracts what can be compared. Linear in the payload, and bounded: each field has its own budget, so
 * that a large one leaves capacity for the others.
 */
export function extractFeatures(payload: Payload): Features {
  const collector = new Collector();
  if (payload.external_id !== undefined) collector.read('externalid', payload.external_id);
  collector.read('', payload.metadata);
  collector.read('', payload.outputs);
  collector.read('', payload.inputs);
  collector.read('', payload.alternatives);
  return collector.features();
}

/** Limits for each field of a payload. */
const MAX_MEMBERS = 1000;
const MAX_CHARS = 40_000;
const MAX_TEXT_CHARS = 10_000;
const MAX_DEPTH = 12;
/** Limits for a payload. */
const MAX_IDS = 96;
const MAX_TEXT_IDS = 64;
const MAX_WORDS = 64;
const MAX_AMOUNTS = 48;
const MAX_VALUE_CHARS = 100;

interface Budget {
  members: number;
  chars: number;
}

interface Place {
  readonly key: Key;
  /** Currency that a sibling states. */
  readonly currency: string | null;
  readonly depth: number;
}

interface Spelling {
  /** Its canonical value, where that is not the one of the value as it is written. */
  readonly spelled?: string;
  readonly among?: number;
}

/** Collects mentions and amounts from the fields of one payload. */
class Collector {
  readonly #ids = new Map<string, Mention>();
  readonly #words = new Map<string, Mention>();
  readonly #texts = new Map<string, Mention>();
  readonly #money = new Map<string, MentionedAmount>();
  readonly #numbers = new Map<string, MentionedAmount>();

  features(): Features {
    const numbers = [...this.#numbers.values()].slice(0, MAX_AMOUNTS - this.#money.size);
    return {
      mentions: [...this.#ids.values(), ...this.#texts.values(), ...this.#words.values()],
      amounts: [...this.#money.values(), ...numbers],
    };
  }

  read(key: string, value: JsonValue | undefined): void {
    const budget = { members: MAX_MEMBERS, chars: MAX_CHARS };
    this.#walk({ key: keyOf(key), currency: null, depth: 0 }, value, budget);
  }

  #walk(place: Place, value: JsonValue | undefined, budget: Budget): void {
    if (value === undefined || value === null || budget.members <= 0) return;
    budget.members -= 1;
    if (typeof value === 'string') this.#string(place, value, budget);
    else if (typeof value === 'number') this.#number(place, value);
    else if (typeof value === 'object' && place.depth < MAX_DEPTH) {
      this.#members(place, value, budget);
    }
  }

  #members(place: Place, value: object, budget: Budget): void {
    const depth = place.depth + 1;
    if (Array.isArray(value)) {
      for (const item of value) {
        if (budget.members <= 0) return;
        this.#walk({ ...place, depth }, item, budget);
      }
      return;
    }
    const currency = currencyIn(value) ?? place.currency;
    for (const name in value) {
      if (budget.members <= 0) return;
      if (!Object.hasOwn(value, name)) continue;
      this.#walk({ key: keyOf(name), currency, depth }, Reflect.get(value, name), budget);
    }
  }

  #string(place: Place, value: string, budget: Budget): void {
    const read = value.slice(0, Math.min(MAX_TEXT_CHARS, budget.chars));
    budget.chars -= read.length;
    const text = withAsciiDigits(read.trim());
    const nested = place.depth < MAX_DEPTH ? nestedJson(text, value.length) : null;
    if (nested !== null) {
      this.#members(place, nested, budget);
      return;
    }
    const hasDate = this.#dates(place.key, text);
    const isShort = text.length <= MAX_VALUE_CHARS && text.length === value.trim().length;
    if (isShort && this.#short(place, text, hasDate)) return;
    if (!isShort || /[\s/?=&:,;|]/.test(text)) this.#text(place, text);
  }

  /** @returns whether it is an amount, and nothing else */
  #short(place: Place, text: string, hasDate: boolean): boolean {
    const { key } = place;
    const amount = key.namesAnId ? null : amountOf(text, place);
    if (amount !== null) {
      this.#amount(amount);
      if (!isId(key, text) || /\s/.test(text)) {
        if (isShortNumber(key, text)) this.#mention(this.#words, MAX_WORDS, key, text);
        return true;
      }
    }
    if (isId(key, text) && (!/\s/.test(text) || isSpacedId(key, text))) {
      this.#mention(this.#ids, MAX_IDS, key, text);
      const part = partOf(text);
      if (part !== null) this.#mention(this.#texts, MAX_TEXT_IDS, key, part);
      this.#numbersWithYear(key, text.replace(/\s+/g, '-'));
    } else if (text.length >= 2 && !isDecimal(text) && !(hasDate && isDateLike(text))) {
      this.#mention(this.#words, MAX_WORDS, key, text);
    }
    return false;
  }

  #number(place: Place, value: number): void {
    const { key } = place;
    const text = String(value);
    if (Number.isInteger(value) && isIdentifier(key, text)) {
      this.#mention(this.#ids, MAX_IDS, key, text);
    }
    if (key.namesAnId) return;
    const amount = amountOf(value, place);
    if (amount !== null) this.#amount(amount);
    if (Number.isInteger(value) && value >= 10 && !key.namesAnAmount) {
      this.#mention(this.#words, MAX_WORDS, key, text);
    }
  }

  #text({ currency }: Place, written: string): void {
    if (!MAY_HAVE_DIGITS.test(written)) return;
    const text = plainText(written).slice(0, MAX_TEXT_CHARS);
    const tokens = textTokens(text, MAX_TEXT_CHARS);
    const ids = [...new Set(tokens.filter(isTextId))];
    const among = Math.max(1, ids.length);
    for (const id of ids) this.#mention(this.#texts, MAX_TEXT_IDS, NO_KEY, id, { among });
    this.#numbersWithYear(NO_KEY, text, among);
    for (const stated of textAmounts(text)) {
      const amount = amountOf(stated, { key: IN_TEXT, currency });
      if (amount !== null) this.#amount(amount);
    }
  }

  /** A day is the same however it is written, also as part of a time. @returns whether there is any */
  #dates(key: Key, text: string): boolean {
    if (key.isTimeOfRecord) return false;
    const dates = datesIn(text);
    for (const date of dates) this.#mention(this.#words, MAX_WORDS, key, date);
    return dates.length > 0;
  }

  #amount(amount: MentionedAmount): void {
    const into = amount.isMoney ? this.#money : this.#numbers;
    const { value, currency, unit, key, isNegative } = amount;
    const name = `${isNegative ? -value : value} ${currency ?? ''} ${unit} ${key}`;
    if (into.size < MAX_AMOUNTS && !into.has(name)) into.set(name, amount);
  }

  #numbersWithYear(key: Key, text: string, among = 1): void {
    for (const { raw, canonical } of numbersWithYear(text)) {
      this.#mention(this.#texts, MAX_TEXT_IDS, key, raw, { spelled: canonical, among });
    }
  }

  #mention(
    into: Map<string, Mention>,
    limit: number,
    key: Key,
    raw: string,
    { spelled, among = 1 }: Spelling = {},
  ): void {
    const name = `${key.name} ${spelled ?? raw}`;
    if (into.size >= limit || into.has(name)) return;
    const canonical = spelled ?? canonicalOf(raw);
    if (canonical === '') return;
    const form = into === this.#ids ? 'key' : into === this.#texts ? 'text' : 'word';
    const digits = form === 'word' || isDateLike(raw) ? '' : digitCoreOf(canonical);
    into.set(name, { canonical, raw, key, form, digits, among });
  }
}

const NO_KEY = keyOf('');
/** Other characters may become digits when the text is normalised. */
const MAY_HAVE_DIGITS = /[0-9]|[^\0-\x7f]/;
/** Amounts in a text are written in major units. */
const IN_TEXT: Key = { ...keyOf('text'), unit: 'major' };

const isId = (key: Key, text: string): boolean =>
  isIdentifier(key, text) || isShortIdentifier(key, text);

/** `1204` under `room`. */
const isShortNumber = (key: Key, text: string): boolean =>
  /^[0-9]{2,}$/.test(text) && !key.namesAnAmount;

/** `W 482 9131` under a key that names an identifier, or where its groups can be nothing else. */
const isSpacedId = (key: Key, text: string): boolean =>
  text.length <= MAX_SPACED_CHARS &&
  ((key.namesAnId && /[0-9]/.test(text)) || (!key.namesAnAmount && isGroupedIdentifier(text)));

const MAX_SPACED_CHARS = 40;

const CURRENCY_KEYS = ['currency', 'currency_code', 'currencyCode', 'iso_currency', 'Currency'];
const CURRENCY = /^[A-Za-z]{3}$/;

function currencyIn(value: object): string | null {
  for (const name of CURRENCY_KEYS) {
    const found: unknown = Object.hasOwn(value, name) ? Reflect.get(value, name) : null;
    if (typeof found === 'string' && CURRENCY.test(found)) return found.toUpperCase();
  }
  return null;
}

/** Arguments of tool calls are often JSON in a string. */
function nestedJson(text: string, fullLength: number): object | null {
  if (fullLength > MAX_TEXT_CHARS || !/^[[{]/.test(text)) return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}
