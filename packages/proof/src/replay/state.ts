import { canonicalJson } from '../canonical.js';
import type { JsonValue } from '../gate.js';
import { sha256Hex } from '../hash.js';

/** A member that only withheld activity could prove. */
export const UNPROVEN = Symbol('unproven');

/** A member that records of former releases do not state. */
export const UNSTATED = Symbol('unstated');

/** An expected member: its brief text, null for an absent one, or why nothing is expected. */
export type MemberState = string | null | typeof UNPROVEN | typeof UNSTATED;

/** The expected members of a record. */
export type RecordState = Map<string, MemberState>;

/** One record of the activity chain about an object. */
export interface RecordedChange {
  readonly seq: number;
  readonly type: string;
  readonly actor: string;
  /** RFC 3339. */
  readonly at: string;
  /** The members of its data as brief texts. */
  readonly data: ReadonlyMap<string, string>;
}

/** What a change does to the state of its object. */
type Effect = (state: RecordState, change: RecordedChange) => void;

/**
 * The effects of changes by their type, of which none may be missing. A type that is not among them has none.
 *
 * @example
 * ```ts
 * import { effectsOf } from '@decision-ledger/proof/replay/state';
 *
 * const effects = effectsOf<'link.deleted'>({
 *   'link.deleted': (state, { at }) => state.set('deleted_at', at),
 * });
 * effects.has('link.created'); // => false
 * ```
 */
export function effectsOf<Type extends string>(
  effects: Readonly<Record<Type, Effect>>,
): ReadonlyMap<string, Effect> {
  return new Map(Object.entries<Effect>(effects));
}

/** In characters; longer than an identifier with its prefix. */
const SHORT = 80;

/**
 * The canonical text of a value, or its hash if it is long, to save memory.
 *
 * @example
 * ```ts
 * import { briefText } from '@decision-ledger/proof/replay/state';
 *
 * briefText('paid'); // => '"paid"'
 * briefText('long'.repeat(30)).startsWith('sha256:'); // => true
 * ```
 */
export function briefText(value: JsonValue): string {
  const text = canonicalJson(value);
  return text.length <= SHORT ? text : `sha256:${sha256Hex(text)}`;
}
