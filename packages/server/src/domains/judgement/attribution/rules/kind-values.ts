import { isStatedDate } from './dates.js';
import type { KindValue } from './event-kind.js';
import type { hasher } from './hashed.js';
import type { Features, Mention } from './mention.js';

const MAX_KINDS = 12;
/** A number of so many digits is no kind. */
const NUMBER_DIGITS = 6;
/** A text with so many digits states a number or a month, and its words before that may be a kind. */
const TEXT_DIGITS = 4;
const LETTERS = /^[^0-9]{3,}/;
const DIGITS = /[0-9]/g;

/**
 * What may say the kind of an event, such as a charge code or the words of a booking text: short values, one
 * under each key.
 */
export function kindValuesOf({ mentions }: Features, hash: ReturnType<typeof hasher>): KindValue[] {
  const values = new Map<string, Set<number>>();
  for (const mention of mentions) {
    const { key, form, canonical } = mention;
    if (key === '' || form === 'text' || isStatedDate(canonical)) continue;
    const known = values.get(key) ?? new Set();
    known.add(kindValueOf(mention, hash));
    values.set(key, known);
  }
  return [...values]
    .flatMap(([key, [value = 0, ...others]]): KindValue[] =>
      value === 0 || others.length > 0 ? [] : [[hash('key', key), value]],
    )
    .slice(0, MAX_KINDS);
}

/** 0 for a number. */
function kindValueOf({ canonical, digits }: Mention, hash: ReturnType<typeof hasher>): number {
  const count = canonical.match(DIGITS)?.length ?? 0;
  const [letters] = LETTERS.exec(canonical) ?? [];
  if (count >= TEXT_DIGITS && letters !== undefined) return hash('kind', letters);
  return digits === '' && count < NUMBER_DIGITS ? hash('id', canonical) : 0;
}
