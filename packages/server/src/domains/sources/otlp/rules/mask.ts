import type { JsonValue } from '@decision-ledger/proof/gate';

export type Members = { [name: string]: JsonValue };

/** The payload of a decision that was read from a span. */
export interface SpanPayload {
  inputs: Members;
  outputs: Members;
  metadata: Members;
}

const MASKED = '[masked]';

/**
 * Replaces what paths such as `inputs.card.number` name, in place; `*` is any name or element. Texts
 * that were not readable as JSON may hold what a path below them names, so they are replaced whole.
 */
export function maskPayload(
  payload: SpanPayload,
  paths: readonly string[],
  unreadable: ReadonlySet<JsonValue>,
): void {
  for (const path of paths) {
    const [field = '', ...names] = path.split('.');
    const part = new Map<string, Members>(Object.entries(payload)).get(field);
    if (part === undefined) continue;
    replace(part, names);
    replaceTexts(part, unreadable);
  }
}

function replace(node: JsonValue, names: readonly string[]): void {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, rest] of matches(node, names)) {
    if (rest.length === 0) Reflect.set(node, key, MASKED);
    else replace(Reflect.get(node, key), rest);
  }
}

/** The members that the beginning of a path names, each with the rest: names of attributes have points. */
function matches(node: object, names: readonly string[]): (readonly [string, readonly string[]])[] {
  if (names[0] === '*') return Object.keys(node).map((key) => [key, names.slice(1)] as const);
  return names.flatMap((_, index) => {
    const key = names.slice(0, index + 1).join('.');
    return Object.hasOwn(node, key) ? [[key, names.slice(index + 1)] as const] : [];
  });
}

function replaceTexts(part: Members, texts: ReadonlySet<JsonValue>): void {
  for (const [name, value] of Object.entries(part)) {
    if (texts.has(value)) part[name] = MASKED;
  }
}
