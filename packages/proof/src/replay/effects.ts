import type { RecordedChange, RecordState } from './state.js';

/** What a change does to the state of its object. */
type Effect = (state: RecordState, change: RecordedChange) => void;

/** The effects of changes by their type, of which none may be missing. A type that is not among them has none. */
export function effectsOf<Type extends string>(
  effects: Readonly<Record<Type, Effect>>,
): ReadonlyMap<string, Effect> {
  return new Map(Object.entries<Effect>(effects));
}
