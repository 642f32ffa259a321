import type { JsonValue } from '@decision-ledger/proof/gate';
import type { Payload } from './extraction.js';
import { withAsciiDigits } from './identifiers.js';

/** Limits for a payload. */
const MAX_MEMBERS = 4000;
const MAX_DEPTH = 12;

interface Place {
  readonly path: string;
  readonly value: JsonValue;
  readonly depth: number;
}

/**
 * Where a payload states a value, such as `inputs.order_id`: the member that equals it, else the first text that
 * contains it. Linear in the payload, and bounded.
 * @param raw the value as it is written, trimmed, with digits of ASCII
 * @returns null for a value that is not found, such as one inside a text that was decoded
 */
export function findField(payload: Payload, raw: string): string | null {
  let containing: string | null = null;
  for (const { path, value } of scalarsOf(payload)) {
    const text = withAsciiDigits(String(value).trim());
    if (text === raw) return path;
    if (containing === null && text.includes(raw)) containing = path;
  }
  return containing;
}

function* scalarsOf(payload: Payload): Generator<Place> {
  const fields = Object.entries(payload).filter(([, value]) => value !== undefined);
  const open: Place[] = fields.map(([path, value]) => ({ path, value, depth: 0 })).reverse();
  let seen = 0;
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    seen += 1;
    if (seen > MAX_MEMBERS) return;
    const { path, value, depth } = place;
    if (typeof value !== 'object' || value === null) yield place;
    else if (depth < MAX_DEPTH) {
      for (const name of namesOf(value, MAX_MEMBERS - seen).reverse()) {
        open.push({ path: `${path}.${name}`, value: Reflect.get(value, name), depth: depth + 1 });
      }
    }
  }
}

/** The names of the first members of an object, or the indexes of the first items of a list. */
function namesOf(value: object, most: number): string[] {
  if (Array.isArray(value)) return [...value.slice(0, most).keys()].map(String);
  const names: string[] = [];
  for (const name in value) {
    if (names.length >= most) break;
    if (Object.hasOwn(value, name)) names.push(name);
  }
  return names;
}
