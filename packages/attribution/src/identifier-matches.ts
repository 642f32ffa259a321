import type { ComparedEvent } from './comparison.js';
import type { HashedFeatures, HashedMention } from './hashed-features.js';

/** How a shared identifier is written on the two sides, the surest first. */
export type MatchForm = 'exact' | 'canonical' | 'digits' | 'text' | 'linked';

/** An identifier of the event that a decision holds. */
export interface IdMatch {
  readonly form: MatchForm;
  /** What the event states. */
  readonly mention: HashedMention;
  /** The token that is equal: the canonical value or its digits. */
  readonly token: number;
  readonly isEntity: boolean;
  /** Divides its information: the identifiers that the text states. */
  readonly among: number;
}

/** A key of the event's identifiers, with how many candidates hold the value. */
export type HeldKey = readonly [key: number, holders: number, value: number];

/** What a decision and the event share. */
export interface Matches {
  readonly ids: readonly IdMatch[];
  /** Canonical tokens of equal values that are no identifiers. */
  readonly words: readonly number[];
  /** How many values are equal character by character: what a plain join counts. */
  readonly equalValues: number;
  /** Keys under which both have identifiers of one shape, none of them equal. */
  readonly contradictions: readonly number[];
}

/** Whether a decision names a transaction of the event itself, not only a person, a thing or a link. */
export const namesTransaction = ({ ids }: Matches): boolean =>
  ids.some(({ form, isEntity }) => form !== 'linked' && !isEntity);

/** The mentions of an event by the tokens under which a decision may match them. */
export interface EventIndex {
  readonly byCanonical: ReadonlyMap<number, readonly HashedMention[]>;
  readonly byDigits: ReadonlyMap<number, readonly HashedMention[]>;
  readonly keys: ReadonlySet<number>;
}

export function indexEvent({ features }: ComparedEvent): EventIndex {
  const ids = features.mentions.filter(({ form }) => form === 'key');
  return {
    byCanonical: groupBy(features.mentions, ({ canonical }) => canonical),
    byDigits: groupBy(features.mentions, ({ digits }) => digits),
    keys: new Set(ids.map(({ key }) => key)),
  };
}

export function matchesOf(event: EventIndex, decision: HashedFeatures): Matches {
  const best = new Map<number, IdMatch>();
  const words = new Set<number>();
  const equal = new Set<number>();
  for (const own of decision.mentions) {
    for (const mention of event.byCanonical.get(own.canonical) ?? []) {
      if (isScalar(own) && isScalar(mention) && own.raw === mention.raw) equal.add(own.raw);
      const isWord = own.form === 'word' || mention.form === 'word';
      if (isWord && !namesTheSame(own, mention)) words.add(own.canonical);
      else keepSurer(best, matchOf(own, mention));
    }
    if (own.digits === 0) continue;
    for (const mention of event.byDigits.get(own.digits) ?? []) {
      if (own.canonical !== mention.canonical && isSameKind(own, mention)) {
        keepSurer(best, matchOf(own, mention));
      }
    }
  }
  return {
    ids: together([...best.values()]),
    words: [...words],
    equalValues: equal.size,
    contradictions: contradictionsOf(event, decision),
  };
}

/** Of the identifiers that a text of the event states, those that one decision holds count together. */
function together(matches: readonly IdMatch[]): IdMatch[] {
  const held = matches.filter(({ mention }) => mention.form === 'text').length;
  return matches.map((match) =>
    match.mention.form === 'text' ? { ...match, among: Math.max(1, match.among / held) } : match,
  );
}

const SURENESS: readonly MatchForm[] = ['exact', 'canonical', 'digits', 'text'];

/** Of several matches of one value of the event, the surest counts. */
function keepSurer(best: Map<number, IdMatch>, match: IdMatch): void {
  const known = best.get(match.mention.canonical);
  if (
    known === undefined ||
    SURENESS.indexOf(match.form) < SURENESS.indexOf(known.form) ||
    (match.form === known.form && match.among < known.among)
  ) {
    best.set(match.mention.canonical, match);
  }
}

function matchOf(own: HashedMention, mention: HashedMention): IdMatch {
  const isText = own.form === 'text' || mention.form === 'text' || mention.form === 'shortened';
  const isCanonical = own.canonical === mention.canonical;
  const written = own.raw === mention.raw ? 'exact' : 'canonical';
  return {
    form: isText ? 'text' : isCanonical ? written : 'digits',
    mention,
    token: isCanonical ? own.canonical : own.digits,
    isEntity: own.isEntity || mention.isEntity,
    among: Math.max(own.among, mention.among),
  };
}

/** Whether it is a whole value of the payload. */
const isScalar = ({ form }: HashedMention): boolean => form === 'key' || form === 'word';

/** `room: 1204` is what `room_no: 1204` names. */
const namesTheSame = (one: HashedMention, other: HashedMention): boolean =>
  one.kind !== 0 && one.kind === other.kind && (one.form === 'key' || other.form === 'key');

/** By their keys, or because the letters of one value name the key of the other: `MRN-0123` and `mrn: 123`. */
const isSameKind = (one: HashedMention, other: HashedMention): boolean =>
  one.kind === other.kind ||
  one.kind === 0 ||
  other.kind === 0 ||
  one.shape === other.kind ||
  one.kind === other.shape;

/** A different spelling is no contradiction, and neither is a value of another shape. */
function contradictionsOf(event: EventIndex, { mentions }: HashedFeatures): number[] {
  const same = new Set<number>();
  const shared = new Set<number>();
  for (const own of mentions) {
    if (own.form !== 'key' || !event.keys.has(own.key)) continue;
    if (event.byCanonical.has(own.canonical) || event.byDigits.has(own.digits)) same.add(own.key);
    else shared.add(own.key);
  }
  const keys = [...shared].filter((key) => !same.has(key));
  if (keys.length === 0) return keys;
  const shapes = new Map(
    mentions.filter(({ form }) => form === 'key').map((own) => [own.key, own.shape]),
  );
  const stated = [...event.byCanonical.values()].flat();
  return keys.filter((key) =>
    stated.some((mention) => mention.key === key && mention.shape === shapes.get(key)),
  );
}

function groupBy(
  mentions: readonly HashedMention[],
  tokenOf: (mention: HashedMention) => number,
): Map<number, HashedMention[]> {
  const groups = new Map<number, HashedMention[]>();
  for (const mention of mentions) {
    const token = tokenOf(mention);
    if (token === 0) continue;
    const group = groups.get(token);
    if (group === undefined) groups.set(token, [mention]);
    else group.push(mention);
  }
  return groups;
}
