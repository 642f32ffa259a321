import type { JsonValue } from '@decision-ledger/proof/gate';
import {
  isIdentifier,
  namesAnAmount,
  normaliseAmount,
  normaliseKey,
  normaliseValue,
} from './normalise.js';

/** The comparable content of a decision or event: normalised texts, or their hashes. */
export interface Features<Token extends string | number = string> {
  /** Scalar metadata as `key=value`, by key. */
  readonly pairs: ReadonlyMap<Token, Token>;
  /** Identifiers from the whole payload, with their keys. */
  readonly ids: ReadonlyMap<Token, ReadonlySet<Token>>;
  /** Stated amounts: magnitudes in canonical decimal text. */
  readonly amounts: ReadonlySet<Token>;
}

/** Limits of what is extracted from one payload. */
const MAX_SCALARS = 400;
const MAX_DEPTH = 8;
const MAX_PAIRS = 32;
const MAX_IDS = 48;
const MAX_AMOUNTS = 24;
const MAX_KEY_CHARS = 100;

/** The payload of a decision or event. */
export interface Payload {
  readonly metadata?: JsonValue;
  readonly inputs?: JsonValue;
  readonly outputs?: JsonValue;
  /** The reference of an event. */
  readonly external_id?: string;
}

/** Metadata comes first, then outputs: the limits drop the least informative values. */
export function extractFeatures(payload: Payload): Features {
  const collector = new Collector();
  if (payload.external_id !== undefined) collector.scalar('externalid', payload.external_id);
  collector.walk('', payload.metadata, true);
  collector.walk('', payload.outputs, false);
  collector.walk('', payload.inputs, false);
  return collector;
}

class Collector implements Features {
  readonly pairs = new Map<string, string>();
  readonly ids = new Map<string, Set<string>>();
  readonly amounts = new Set<string>();
  #scalars = 0;

  walk(key: string, value: JsonValue | undefined, isMetadata: boolean, depth = 0): void {
    if (value === undefined || value === null || this.#scalars >= MAX_SCALARS) return;
    if (typeof value !== 'object') {
      this.#scalars += 1;
      this.scalar(key, value, isMetadata);
    } else if (depth < MAX_DEPTH) {
      const members = Array.isArray(value)
        ? value.map((item): [string, JsonValue] => [key, item])
        : Object.entries(value).map(([name, item]): [string, JsonValue] => [
            normaliseKey(name),
            item,
          ]);
      for (const [name, item] of members) this.walk(name, item, isMetadata, depth + 1);
    }
  }

  scalar(key: string, value: JsonValue, isMetadata = false): void {
    const text = normaliseValue(value);
    if (text === null || key.length > MAX_KEY_CHARS) return;
    if (isMetadata && this.pairs.size < MAX_PAIRS && !this.pairs.has(key)) {
      this.pairs.set(key, `${key}=${text}`);
    }
    if (isIdentifier(key, text)) this.#id(key, text);
    if (namesAnAmount(key) && this.amounts.size < MAX_AMOUNTS) {
      const amount = normaliseAmount(value);
      if (amount !== null) this.amounts.add(amount);
    }
  }

  #id(key: string, text: string): void {
    const keys = this.ids.get(text);
    if (keys !== undefined) keys.add(key);
    else if (this.ids.size < MAX_IDS) this.ids.set(text, new Set([key]));
  }
}

const FAILURE_WORDS = /^(?:failed|failure|error|declined|rejected|denied|aborted|timeout)$/;

/** Whether the outputs of a decision report that the action failed. */
export function saysItFailed(outputs: JsonValue | undefined): boolean {
  if (typeof outputs !== 'object' || outputs === null || Array.isArray(outputs)) return false;
  for (const [name, value] of Object.entries(outputs)) {
    const key = normaliseKey(name);
    if ((key === 'failed' || key === 'iserror') && value === true) return true;
    if ((key === 'success' || key === 'ok' || key === 'succeeded') && value === false) return true;
    if (key === 'error' && value !== null && value !== false && value !== '') return true;
    if ((key === 'status' || key === 'outcome' || key === 'result') && typeof value === 'string') {
      if (FAILURE_WORDS.test(value.trim().toLowerCase())) return true;
    }
  }
  return false;
}
