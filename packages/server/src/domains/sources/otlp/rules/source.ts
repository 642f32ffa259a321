import { MAX_JSON_TEXT, readJsonText } from '@decision-ledger/client/values';
import { GateError, MAX_DEPTH, parseJson } from '@decision-ledger/proof/gate';
import type { Span } from './span.js';

/** Reads the value at a place of a span; undefined if there is none. */
export type ReadSource = (span: Span) => unknown;

/**
 * Makes the function that reads a place as the settings name it: an attribute, `resource:NAME`, `event:EVENT:NAME`,
 * `scope:name`, `span:name` or `fixed:TEXT`, each but the last with a JSON pointer (RFC 6901) after `#`.
 */
export function sourceReader(source: string): ReadSource {
  if (source.startsWith('fixed:')) return constant(source.slice('fixed:'.length));
  const at = source.indexOf('#/');
  if (at === -1) return placeReader(source);
  const read = placeReader(source.slice(0, at));
  const keys = source
    .slice(at + 2)
    .split('/')
    .map(unescapeKey);
  return (span) => {
    let value = read(span);
    for (const key of keys) value = memberOf(enter(span, value), key);
    return value;
  };
}

/** What the first of these has; undefined if none has any. */
export function firstOf(readers: readonly ReadSource[], span: Span): unknown {
  for (const read of readers) {
    const value = read(span);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** The attribute that a source reads, as a name for what it has. */
export function nameOfSource(source: string): string {
  return source.replace(/#\/.*$/s, '').replace(/^(?:resource|event:[^:]*):/, '');
}

const constant =
  (text: string): ReadSource =>
  () =>
    text;

function placeReader(place: string): ReadSource {
  if (place === 'span:name') return ({ name }) => name;
  if (place === 'scope:name') return ({ scope }) => scope;
  const [, ofResource] = /^resource:(.*)$/s.exec(place) ?? [];
  if (ofResource !== undefined) return ({ resource }) => resource.get(ofResource);
  const [, event, ofEvent] = /^event:([^:]*):(.*)$/s.exec(place) ?? [];
  if (ofEvent === undefined) return ({ attributes }) => attributes.get(place);
  return ({ events }) => events.findLast(({ name }) => name === event)?.attributes.get(ofEvent);
}

/** RFC 6901, 4: `~1` stands for `/`, and `~0` for `~`. */
const unescapeKey = (key: string) => key.replaceAll('~1', '/').replaceAll('~0', '~');

export function memberOf(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  const isPlace = !Array.isArray(value) || /^(?:0|[1-9][0-9]{0,5})$/.test(key);
  return isPlace ? Reflect.get(value, key) : undefined;
}

/** The JSON texts of a span that pointers lead into, each parsed once. */
const entered = new WeakMap<Span, Map<string, unknown>>();

function enter(span: Span, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const known = entered.get(span) ?? new Map<string, unknown>();
  entered.set(span, known);
  const structure = known.get(value) ?? structureOf(value);
  known.set(value, structure);
  return structure;
}

/** Attributes of many SDKs hold no objects, so objects and lists arrive as JSON texts. Any other text is itself. */
export function structureOf(text: string): unknown {
  if (!/^\s*[[{]/.test(text) || text.length > MAX_JSON_TEXT) return text;
  try {
    return parseJson(text, MAX_DEPTH - 1);
  } catch (error) {
    if (!(error instanceof GateError)) throw error;
    return error.kind === 'syntax' ? text : readJsonText(text);
  }
}
