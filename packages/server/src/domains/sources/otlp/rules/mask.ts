import type { Json, JsonMembers } from '@decision-ledger/client/values';

/** In place of what a path names. */
export const MASKED = '[masked]';

/** The fields that paths such as `inputs.card.number` lead into. */
export function maskedFields(paths: readonly string[]): ReadonlySet<string> {
  return new Set(paths.map((path) => path.split('.', 1).join()));
}

/** Replaces what the paths name, in place; `*` is any name or element. */
export function maskPayload(decision: JsonMembers, paths: readonly string[]): void {
  for (const path of paths) {
    const [field = '', ...names] = path.split('.');
    const part = decision[field];
    if (part !== undefined) replace(part, names);
  }
}

function replace(node: Json, names: readonly string[]): void {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, rest] of matches(node, names)) {
    if (rest.length === 0) Reflect.set(node, key, MASKED);
    else replace(Reflect.get(node, key), rest);
  }
}

/** The members that the beginning of a path names, each with the rest: names of attributes have points. */
function matches(node: object, names: readonly string[]): (readonly [string, readonly string[]])[] {
  if (names[0] === '*') return Object.keys(node).map((key) => [key, names.slice(1)] as const);
  return names.flatMap((_, index) =>
    Array.from(repeatsOf(names.slice(0, index + 1).join('.'), node), (key) => {
      return [key, names.slice(index + 1)] as const;
    }),
  );
}

/** The members of a name: where it was repeated, the others have numbers. */
function* repeatsOf(name: string, node: object): Generator<string, void, void> {
  if (Object.hasOwn(node, name)) yield name;
  for (let repeat = 2; Object.hasOwn(node, `${name} (${repeat})`); repeat += 1) {
    yield `${name} (${repeat})`;
  }
}
