import type { Steps } from '@decision-ledger/contract/steps';
import { isStatedDate } from './free-text.js';
import type { Hash } from './hashed-features.js';
import type { Features, Mention } from './mentions.js';
import { fitMixture, type MixedEvent } from './mixture.js';

/** A value of an event that may say what kind of event it is: hash of the key, hash of the value. */
export type KindValue = readonly [key: number, value: number];

/** An event of a type, as far as it says how many kinds the type has. */
export interface KindEvent {
  readonly kinds: readonly KindValue[];
  /** What its delays and amounts say; null for one of which only a review is known. */
  readonly evidence: MixedEvent | null;
  /** Whether people named a recorded cause; null without a review. */
  readonly isCaused: boolean | null;
}

/** The value under a key; 0 if it has none. */
export const valueUnder = (kinds: readonly KindValue[], key: number): number =>
  kinds.find(([own]) => own === key)?.[1] ?? 0;

const MAX_VALUES = 12;
/** A value that fewer events have says nothing of its kind. */
export const MIN_EVENTS = 5;
/** Of the events, this part must have a value that so many others have. */
const MIN_COVERED = 0.8;
/** A split by a key must explain the events so much better, in log-odds: one key in seven is a kind. */
const MIN_GAIN = 2;

/**
 * The key whose values best separate events of one type with causes from those without: the one with the
 * greatest marginal likelihood against a single kind. What people said may refute that; that kinds look
 * alike otherwise does not.
 * @returns null if the type is of one kind
 */
export function* kindKeyOf(
  events: readonly KindEvent[],
  causelessPrior: number,
): Steps<number | null> {
  const shown = (some: readonly KindEvent[]) => shownBy(some, causelessPrior);
  const [wholeShown, wholeSaid] = [shown(events), saidOf(events)];
  const keys = new Set(events.flatMap(({ kinds }) => kinds.map(([key]) => key)));
  let best: { readonly key: number; readonly gain: number } | null = null;
  for (const key of [...keys].sort((a, b) => a - b)) {
    yield;
    const groups = groupsBy(key, events);
    if (groups === null) continue;
    const gainOf = (of: (group: readonly KindEvent[]) => number, whole: number) =>
      groups.reduce((sum, group) => sum + of(group), -whole);
    const gain = gainOf(saidOf, wholeSaid) + Math.max(0, gainOf(shown, wholeShown));
    if (gain > MIN_GAIN && gain > (best?.gain ?? 0)) best = { key, gain };
  }
  return best?.key ?? null;
}

/** The events by their value under a key; null if the values are too many, too rare or all the same. */
function groupsBy(key: number, events: readonly KindEvent[]): KindEvent[][] | null {
  const groups = new Map<number, KindEvent[]>();
  for (const event of events) {
    const value = valueUnder(event.kinds, key);
    const group = groups.get(value);
    if (group === undefined) groups.set(value, [event]);
    else group.push(event);
    if (groups.size > 2 * MAX_VALUES) return null;
  }
  const common = [...groups.values()].filter((group) => group.length >= MIN_EVENTS);
  const covered = common.reduce((sum, group) => sum + group.length, 0);
  if (common.length < 2 || common.length > MAX_VALUES) return null;
  return covered < MIN_COVERED * events.length ? null : [...groups.values()];
}

/** A beta prior of the share with a cause: two of three types of events have causes, mostly. */
const REVIEWED = { caused: 0.8, not: 0.5 };

/** The log of the marginal likelihood of what the delays and amounts of events show. */
function shownBy(events: readonly KindEvent[], causelessPrior: number): number {
  const shown = events.flatMap(({ evidence }) => evidence ?? []);
  const mixed = shown.length === 0 ? 0 : fitMixture(shown).evidence;
  const most = Math.max(0, mixed);
  const caused = (1 - causelessPrior) * Math.exp(mixed - most);
  return most + Math.log(caused + causelessPrior * Math.exp(-most));
}

/** The same of what people said of them. */
function saidOf(events: readonly KindEvent[]): number {
  let likelihood = 0;
  let [caused, not] = [REVIEWED.caused, REVIEWED.not];
  for (const { isCaused } of events) {
    if (isCaused === null) continue;
    likelihood += Math.log((isCaused ? caused : not) / (caused + not));
    if (isCaused) caused += 1;
    else not += 1;
  }
  return likelihood;
}

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
export function kindValuesOf({ mentions }: Features, hash: Hash): KindValue[] {
  const values = new Map<string, Set<number>>();
  for (const mention of mentions) {
    const { form, canonical } = mention;
    const key = mention.key.name;
    const isValue = form === 'key' || form === 'word';
    if (key === '' || !isValue || isStatedDate(canonical)) continue;
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
function kindValueOf({ canonical, digits }: Mention, hash: Hash): number {
  const count = canonical.match(DIGITS)?.length ?? 0;
  const [letters] = LETTERS.exec(canonical) ?? [];
  if (count >= TEXT_DIGITS && letters !== undefined) return hash('kind', letters);
  return digits === '' && count < NUMBER_DIGITS ? hash('id', canonical) : 0;
}
