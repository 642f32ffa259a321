import { pushTo } from './match.js';
import type { Traits } from './source-record.js';

/** A movement before or after an edit. */
export interface Version {
  readonly traits: Traits;
  /** Equal for movements that cannot be told apart. */
  readonly content: string;
}

/** Places in the two lists. */
export interface Edit {
  readonly former: number;
  readonly latter: number;
}

export interface Edits {
  /** Each place at most once. */
  readonly certain: readonly Edit[];
  /** Places that may belong together, where another assignment is about as likely. */
  readonly unsure: readonly Edit[];
}

/** Candidates that are compared for each key of a movement: more could not be told apart, and would take too long. */
const MOST = 8;
/** Least similarity of the descriptions if the day, the account or the amount differs. Their numbers must agree then. */
const SIMILAR = 0.5;
/** A candidate that is worse by this is no rival: one other letter in a description of usual length. */
const CLEAR = 0.05;

type KeyOf = (traits: Traits) => string;

const SAME: readonly KeyOf[] = [({ day, account, money }) => `${day}\n${account}\n${money}`];
const ALMOST: readonly KeyOf[] = [
  ({ day, account }) => `${day}\n${account}`,
  ({ day, money }) => `${day}\n\n${money}`,
  ({ account, money }) => `\n${account}\n${money}`,
];

/**
 * Assigns old versions to new ones: first those of the same day, account and amount, then those with two of these and
 * a similar description. The time grows with the number of versions, not with its square.
 */
export function assignEdits(former: readonly Version[], latter: readonly Version[]): Edits {
  const state: State = {
    sides: { former: former.map(written), latter: latter.map(written) },
    closed: { former: new Set(), latter: new Set() },
    certain: [],
    unsure: [],
  };
  assignBy(SAME, { compare: likenessOf, least: 0 }, state);
  assignBy(ALMOST, { compare: strictLikeness, least: SIMILAR }, state);
  return { certain: state.certain, unsure: state.unsure };
}

interface Written extends Version {
  /** The description in lower case, without punctuation. */
  readonly words: string;
  /** Its pairs of characters, sorted. */
  readonly pairs: readonly string[];
  /** The numbers in it, which tell orders and invoices apart. */
  readonly numbers: string;
}

interface State {
  readonly sides: { readonly former: readonly Written[]; readonly latter: readonly Written[] };
  readonly closed: { readonly former: Set<number>; readonly latter: Set<number> };
  readonly certain: Edit[];
  readonly unsure: Edit[];
}

interface Likely extends Edit {
  readonly likeness: number;
}

interface Measure {
  /** From 0 to 1. */
  readonly compare: (one: Written, other: Written) => number;
  readonly least: number;
}

const COMPARED_CHARS = 100;

function written(version: Version): Written {
  const words = version.traits.text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .slice(0, COMPARED_CHARS);
  const pairs = Array.from({ length: Math.max(0, words.length - 1) }, (_none, at) =>
    words.slice(at, at + 2),
  );
  const numbers = (words.match(/\d+/g) ?? []).join(' ');
  return { ...version, words, pairs: pairs.sort(), numbers };
}

function assignBy(keys: readonly KeyOf[], { compare, least }: Measure, state: State): void {
  const likely = keys
    .flatMap((keyOf) => candidatesBy(keyOf, { compare, least }, state))
    .sort((one, other) => other.likeness - one.likeness);
  const rivals = { former: new Map<number, Likely[]>(), latter: new Map<number, Likely[]>() };
  for (const edit of likely) {
    pushTo(rivals.former, edit.former, edit);
    pushTo(rivals.latter, edit.latter, edit);
  }
  const { former, latter } = state.closed;
  for (const edit of likely) {
    if (former.has(edit.former) || latter.has(edit.latter)) continue;
    const others = [
      ...(rivals.former.get(edit.former) ?? []),
      ...(rivals.latter.get(edit.latter) ?? []),
    ].filter((other) => isRival(edit, other, state));
    (others.length === 0 ? state.certain : state.unsure).push(edit, ...others);
    for (const one of [edit, ...others]) {
      former.add(one.former);
      latter.add(one.latter);
    }
  }
}

/** Whether another assignment of one of the two is about as likely, and would make a difference. */
function isRival(edit: Likely, other: Likely, { sides, closed }: State): boolean {
  const isWorse =
    edit.likeness === 1 ? other.likeness < 1 : other.likeness <= edit.likeness - CLEAR;
  if (isWorse) return false;
  if (closed.former.has(other.former) || closed.latter.has(other.latter)) return false;
  const differs = (side: 'former' | 'latter') =>
    sides[side][edit[side]]?.content !== sides[side][other[side]]?.content;
  return differs('former') || differs('latter');
}

function candidatesBy(
  keyOf: KeyOf,
  { compare, least }: Measure,
  { sides, closed }: State,
): Likely[] {
  const exact = ({ traits, words }: Written) => `${keyOf(traits)}\n\n${words}`;
  const places = new Map<string, number[]>();
  for (const [place, version] of sides.former.entries()) {
    if (closed.former.has(place)) continue;
    pushTo(places, keyOf(version.traits), place);
    pushTo(places, exact(version), place);
  }
  return sides.latter.flatMap((version, latter): Likely[] => {
    if (closed.latter.has(latter)) return [];
    const all = places.get(keyOf(version.traits)) ?? [];
    const near = all.length <= MOST ? all : (places.get(exact(version)) ?? []).slice(0, MOST);
    return near.flatMap((former) => {
      const other = sides.former[former];
      if (other === undefined || areDistinct(other.traits, version.traits)) return [];
      const likeness = compare(other, version);
      return likeness < least ? [] : { former, latter, likeness };
    });
  });
}

/** Two different codes say that the movements are not the same. */
function areDistinct(one: Traits, other: Traits): boolean {
  return one.code !== '' && other.code !== '' && one.code !== other.code;
}

/** The similarity of two descriptions. */
function likenessOf(one: Written, other: Written): number {
  if (one.words === other.words) return 1;
  const all = one.pairs.length + other.pairs.length;
  return all === 0 ? 0 : (2 * inBoth(one.pairs, other.pairs)) / all;
}

function strictLikeness(one: Written, other: Written): number {
  return one.numbers === other.numbers ? likenessOf(one, other) : 0;
}

/** How many members two sorted lists share. */
function inBoth(one: readonly string[], other: readonly string[]): number {
  let shared = 0;
  for (let [a, b] = [0, 0]; a < one.length && b < other.length; ) {
    const [left = '', right = ''] = [one[a], other[b]];
    if (left === right) shared += 1;
    if (left <= right) a += 1;
    if (right <= left) b += 1;
  }
  return shared;
}
