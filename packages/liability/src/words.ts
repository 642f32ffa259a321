/** Letters that have no accent to be taken off, in ASCII. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  ł: 'l',
  ø: 'o',
  đ: 'd',
  æ: 'ae',
  œ: 'oe',
};

/** In small letters without accents, as the words in the settings are written. */
function plainLetters(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[ßłøđæœ]/g, (letter) => LETTERS[letter] ?? letter);
}

/** The plain words of `refundAmount`, `refund_amount` or `kwota_zwrotu`. */
export function wordsOfName(name: string): string[] {
  return plainLetters(name.replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2'))
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** Tells which lists a word is in. */
export type Lists<Name extends string> = (word: string) => ReadonlySet<Name>;

/**
 * @param lists words; a `*` at the beginning or the end of one stands for any further letters
 */
export function wordLists<Name extends string>(
  lists: readonly (readonly [name: Name, words: readonly string[]])[],
): Lists<Name> {
  const whole = new Map<string, Name[]>();
  const patterns: { readonly name: Name; readonly fits: (word: string) => boolean }[] = [];
  for (const [name, words] of lists) {
    for (const word of words) {
      const part = word.replaceAll('*', '');
      if (part === word) whole.set(word, [...(whole.get(word) ?? []), name]);
      else patterns.push({ name, fits: fitting(word, part) });
    }
  }
  return (word) => {
    const names = new Set(whole.get(word));
    for (const { name, fits } of patterns) if (fits(word)) names.add(name);
    return names;
  };
}

function fitting(pattern: string, part: string): (word: string) => boolean {
  const [before, after] = [pattern.startsWith('*'), pattern.endsWith('*')];
  if (before && after) return (word) => word.includes(part);
  return before ? (word) => word.endsWith(part) : (word) => word.startsWith(part);
}

const MIN_STEM = 4;
const STEM_SHARE = 0.75;

/** Whether two words differ in their endings alone: `refund` and `refunded`, `erstatten` and `erstattung`. */
export function haveOneStem(one: string, other: string): boolean {
  if (one === other) return true;
  const length = Math.min(one.length, other.length);
  const least = Math.max(MIN_STEM, Math.ceil(length * STEM_SHARE));
  return length >= least && one.slice(0, least) === other.slice(0, least);
}

const MAX_KNOWN = 4000;

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
