import { fromMinorUnits } from '@decision-ledger/amounts/minor-units';
import { type ReadAmount, readAmount } from '@decision-ledger/amounts/read-amount';
import { isCurrency } from '@decision-ledger/contract/currency';
import type { DecisionBody } from '@decision-ledger/contract/decision';
import type { LiabilitySettings } from '@decision-ledger/contract/liability-settings';
import type { PayloadUnits } from '@decision-ledger/contract/source-profiles';
import type { JsonValue } from '@decision-ledger/proof/gate';
import { type KeyMeaning, meaningOf, wordsOfName } from './amount-keys.js';
import { unitAt, unitReader } from './payload-units.js';

type JsonObject = DecisionBody['outputs'];

/** An amount that a decision states. */
export interface StatedAmount {
  /** Magnitude in major units: decimal text. */
  readonly amount: string;
  /** Null means the base currency. */
  readonly currency: string | null;
}

export interface StatedPayload {
  readonly outputs?: JsonObject | undefined;
  readonly inputs?: JsonObject | undefined;
}

/** The settings that amounts are read with. */
export interface ReadingSettings
  extends Pick<LiabilitySettings, 'amount_paths' | 'minor_unit_paths'> {
  /** Of all profiles of sources. */
  readonly payload_units: readonly PayloadUnits[];
}

export type ReadStated = (actionType: string, payload: StatedPayload) => StatedAmount | null;

/** Limits of the search of one payload, so that its time is bounded. */
const MAX_DEPTH = 4;
const MAX_VALUES = 200;
const MAX_ELEMENTS = 20;
const MAX_KNOWN = 4000;

interface Found extends StatedAmount {
  readonly size: number;
  /** Whether its key names what the action is about. */
  readonly isNamed: boolean;
}

interface Search {
  readonly action: ReadonlySet<string>;
  readonly found: Found[];
  left: number;
}

interface Place {
  readonly path: string;
  /** Key of the object, empty for none. */
  readonly key: string;
  readonly depth: number;
  /** Currency stated further out: null if none, undefined if it is no currency. */
  readonly currency: string | null | undefined;
  readonly parent: KeyMeaning | null;
  /** The rows about units that apply around it. */
  readonly units: readonly PayloadUnits[];
}

/** Verbs and other words of action types that say nothing about which amount is meant. */
const VAGUE = new Set(
  'approve create process get update make issue send submit request execute new a the to of'.split(
    ' ',
  ),
);

/**
 * Reads the amount that a decision is about, by `liability.amount_paths`. Of several amounts it takes the
 * largest of those whose key, or that of the object around it, names the action, else the largest.
 * @param base currency of amounts in minor units without a currency
 */
export function statedReader(
  { amount_paths, minor_unit_paths, payload_units }: ReadingSettings,
  base: string,
): ReadStated {
  const inUnits = unitReader(payload_units);
  const roots = amount_paths.map((path) => ({ path, keys: path.split('.') }));
  const minor = new Set(minor_unit_paths);
  const meanings = memoize(meaningOf);
  const actions = memoize(
    (type: string) => new Set(wordsOfName(type).filter((word) => !VAGUE.has(word))),
  );

  function collect(search: Search, object: JsonObject, place: Place): void {
    const keys = keysOf(object);
    const own = keys.length > MAX_VALUES ? null : currencyOf(object, keys, meanings);
    const currency = own === null ? place.currency : own;
    const units = inUnits.enter(object, place.units);
    for (const key of keys) {
      search.left -= 1;
      if (search.left < 0) return;
      const value = object[key];
      if (value === undefined || value === null || typeof value === 'boolean') continue;
      const meaning = meanings(key);
      const path = `${place.path}.${key}`;
      if (typeof value === 'object') {
        if (place.depth < MAX_DEPTH && !meaning.isBound) {
          const depth = place.depth + 1;
          enter(search, value, { path, key, depth, currency, parent: meaning, units });
        }
        continue;
      }
      const isInner = meaning.isInner && place.parent?.isMoney === true;
      if (meaning.isMoney || isInner) {
        const words = [...(place.parent?.words ?? []), ...meaning.words];
        const unit = unitAt(units, place.key, key);
        add(search, value, { path, key, words, currency: meaning.currency ?? currency, unit });
      }
    }
  }

  function enter(search: Search, value: JsonValue, place: Place): void {
    if (Array.isArray(value)) {
      for (const element of value.slice(0, MAX_ELEMENTS)) {
        if (isObject(element)) collect(search, element, place);
      }
    } else if (isObject(value)) {
      collect(search, value, place);
    }
  }

  function add(
    { found, action }: Search,
    value: JsonValue,
    { path, key, words, currency, unit: stated }: Named,
  ): void {
    const amount = currency === undefined ? null : readBounded(value);
    if (amount === null) return;
    const unit = amount.currency ?? currency ?? null;
    const isMinor =
      minor.has(path) || (stated === null ? meanings(key).isMinor : stated === 'minor');
    const major = isMinor ? fromMinorUnits(amount.decimal, unit ?? base) : amount.decimal;
    const magnitude = major.startsWith('-') ? major.slice(1) : major;
    const isNamed = words.some((word) => action.has(word));
    found.push({ amount: magnitude, currency: unit, size: Number(magnitude), isNamed });
  }

  return (actionType, payload) => {
    for (const { path, keys } of roots) {
      const search: Search = { action: actions(actionType), found: [], left: MAX_VALUES };
      const target = valueAtPath(payload, keys);
      if (target === null) continue;
      const { value, parents } = target;
      const key = keys.length > 1 ? (keys.at(-1) ?? '') : '';
      const units = parents.reduce(
        (around, parent) => inUnits.enter(parent, around),
        inUnits.everywhere,
      );
      if (typeof value === 'object') {
        enter(search, value, { path, key, depth: 1, currency: null, parent: null, units });
      } else {
        const parent = parents.at(-1) ?? {};
        const currency = meanings(key).currency ?? currencyOf(parent, keysOf(parent), meanings);
        const unit = unitAt(units, keys.length > 2 ? (keys.at(-2) ?? '') : '', key);
        add(search, value, { path, key, words: [], currency, unit });
      }
      const chosen = choose(search.found);
      if (chosen !== null) return { amount: chosen.amount, currency: chosen.currency };
    }
    return null;
  };
}

interface Named {
  readonly path: string;
  readonly key: string;
  readonly words: readonly string[];
  readonly currency: string | null | undefined;
  /** What a row about units says; null if none does. */
  readonly unit: PayloadUnits['unit'] | null;
}

/** In the order in which the payload is recorded, so that what was sent is read as what is stored. */
const keysOf = (object: JsonObject): string[] => Object.keys(object).sort();

function choose(found: readonly Found[]): Found | null {
  let chosen: Found | null = null;
  for (const one of found) {
    if (chosen === null || (one.isNamed && !chosen.isNamed)) chosen = one;
    else if (one.isNamed === chosen.isNamed && one.size > chosen.size) chosen = one;
  }
  return chosen;
}

/** Larger numbers are identifiers, not money. */
const MAX_DIGITS = 20;

/** Numbers as JSON writes them, up to the size where that has an exponent. */
const PLAIN_NUMBER = /^-?[0-9]{1,20}(?:\.[0-9]{1,20})?$/;

function readBounded(value: JsonValue): ReadAmount | null {
  if (typeof value === 'number') {
    const decimal = String(value);
    // The usual case, without the cost of decimal arithmetic.
    if (PLAIN_NUMBER.test(decimal)) return { decimal, currency: null, isInteger: false };
  }
  const amount = readAmount(value);
  if (amount === null) return null;
  const whole = amount.decimal.replace('-', '').split('.')[0] ?? '';
  return whole.length > MAX_DIGITS ? null : amount;
}

/** @returns null if the object states no currency, undefined if it states something else as one */
function currencyOf(
  object: JsonObject,
  keys: readonly string[],
  meanings: (key: string) => KeyMeaning,
): string | null | undefined {
  for (const key of keys) {
    if (!meanings(key).isCurrency) continue;
    const value = object[key];
    if (value === null || value === undefined) continue;
    const code = typeof value === 'string' ? value.toUpperCase() : '';
    return code.length === 3 && isCurrency(code) ? code : undefined;
  }
  return null;
}

/** The value at a path, and the objects that hold it, the outermost first. */
function valueAtPath(
  payload: StatedPayload,
  path: readonly string[],
): { readonly value: JsonValue; readonly parents: readonly JsonObject[] } | null {
  const root = path[0] === 'outputs' ? payload.outputs : payload.inputs;
  if (root === undefined) return null;
  const parents: JsonObject[] = [];
  let value: JsonValue = root;
  for (let step = 1; step < path.length; step += 1) {
    const key = path[step] ?? '';
    if (!isObject(value) || !Object.hasOwn(value, key)) return null;
    parents.push(value);
    value = value[key] ?? null;
  }
  return { value, parents };
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Remembers results for as many names as callers usually have, and starts again beyond that. */
export function memoize<Value>(compute: (name: string) => Value): (name: string) => Value {
  const known = new Map<string, Value>();
  return (name) => {
    const before = known.get(name);
    if (before !== undefined) return before;
    if (known.size >= MAX_KNOWN) known.clear();
    const value = compute(name);
    known.set(name, value);
    return value;
  };
}
