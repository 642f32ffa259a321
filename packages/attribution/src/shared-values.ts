import { mayAct } from './actions.js';
import { checkDigits } from './check-digits.js';
import type { ComparedDecision, ComparedEvent } from './comparison.js';
import { bitsOf, type Frequencies, holdersOf } from './frequencies.js';
import type { HashedMention } from './hashed-features.js';
import {
  type HeldKey,
  type IdMatch,
  indexEvent,
  type Matches,
  type MatchForm,
  matchesOf,
  namesTransaction,
} from './identifier-matches.js';
import type { Knowledge } from './knowledge.js';
import { linksHeld, linksOf } from './links.js';

/** Bits of the identifiers that a candidate shares, by how they are written. */
export type IdBits = { readonly [Form in MatchForm]: number };

/** A decision, and what of it matches the event. */
interface Match {
  readonly decision: ComparedDecision;
  readonly matches: Matches;
}

/** What one decision shares with the event. */
export interface SharedValues extends Match {
  readonly idBits: IdBits;
  readonly wordBits: number;
  /** 1 for a transaction's identifier that one decision holds, 0 for one that 64 hold. */
  readonly transactionKey: number;
  /** The names of transactions in the event that few decisions hold, this one among them; of several in a text, each. */
  readonly transactions: readonly HashedMention[];
  /** Whether it holds the rarest identifier that any candidate shares. */
  readonly isHolder: boolean;
}

/** What the candidates share with the event. */
export interface Sharing {
  /** In the order of the decisions. */
  readonly candidates: readonly SharedValues[];
  readonly keys: readonly HeldKey[];
  /** How many decisions hold the rarest shared identifier; infinite if none is shared. */
  readonly fewestHolders: number;
}

/** Identifiers depend on each other: an order implies its customer. Each further one counts this. */
const FURTHER = 0.25;
/** Few decisions hold a transaction's identifier: eight or fewer. */
const MIN_TRANSACTION_KEY = 0.5;
/** A token that 2^6 decisions hold is no transaction's any more. */
const MAX_TRANSACTION_BITS = 6;
const SURENESS: { readonly [Form in MatchForm]: number } = {
  exact: 1,
  canonical: 0.95,
  digits: 0.85,
  text: 0.85,
  linked: 0.7,
};

export function sharingOf(
  event: ComparedEvent,
  decisions: readonly ComparedDecision[],
  frequencies: Frequencies,
  knowledge: Knowledge,
): Sharing {
  const index = indexEvent(event);
  const links = linksOf(event, decisions, (token) => frequencies.byToken.get(token) ?? 0);
  const found = decisions.map((decision): Match => {
    const matches = withLinks(matchesOf(index, decision.features), links, decision);
    return { decision, matches };
  });
  const { counted: linked, shortened } = checkDigits(found, knowledge);
  const atHand = countTokens(linked);
  const holders = (token: number) => holdersOf(frequencies, atHand, token);
  const common = Math.max(COMMON_AT_LEAST, COMMON_SHARE * frequencies.decisions);
  const context = { holders, frequencies, knowledge };
  const all = linked.map((one) => {
    const matches = withoutCommon(one.matches, (token) => holders(token) > common);
    const keys = matches.ids.map((match) => transactionKeyOf(match, context));
    const transactions = matches.ids
      .filter(
        ({ form, among }, at) =>
          form !== 'linked' && (keys[at] ?? 0) * among >= MIN_TRANSACTION_KEY,
      )
      .map(({ mention }) => mention);
    return { decision: one.decision, matches, key: Math.max(0, ...keys), transactions };
  });
  const fewestHolders = all
    .flatMap(({ matches }) => matches.ids.filter(({ form }) => form !== 'linked'))
    .reduce((least, { token }) => Math.min(least, holders(token)), Number.POSITIVE_INFINITY);
  const { gives, takes } = handedOver(all);
  const handed = Math.max(
    0,
    ...all.filter(({ decision }) => gives.has(decision)).map(({ key }) => key),
  );
  const candidates = all.map(({ decision, matches, key, transactions }): SharedValues => {
    const isHandedOver = takes.has(decision);
    return {
      decision,
      matches,
      idBits: idBitsOf(matches.ids, context),
      wordBits: further(matches.words.map((word) => bitsOf(frequencies, holders(word)))),
      transactions,
      transactionKey: isHandedOver ? handed : key * (gives.has(decision) ? LINKED : 1),
      isHolder:
        isHandedOver ||
        matches.ids.some(
          ({ token, form }) => form !== 'linked' && holders(token) === fewestHolders,
        ),
    };
  });
  return { candidates, keys: [...heldKeys(event, all), ...shortened], fewestHolders };
}

/** What so many decisions hold, and one in five, identifies nothing: a branch, a property, a version. */
const COMMON_AT_LEAST = 50;
const COMMON_SHARE = 0.2;

function withoutCommon(own: Matches, isCommon: (token: number) => boolean): Matches {
  if (!own.ids.some(({ token }) => isCommon(token))) return own;
  const common = own.ids.flatMap(({ token }) => (isCommon(token) ? [token] : []));
  const ids = own.ids.filter(({ token }) => !isCommon(token));
  return { ...own, ids, words: [...new Set([...own.words, ...common])] };
}

interface Context {
  readonly holders: (token: number) => number;
  readonly frequencies: Frequencies;
  readonly knowledge: Knowledge;
}

/** A decision that names a transaction of the event needs no link to it. */
function withLinks(
  own: Matches,
  links: ReadonlyMap<number, HashedMention>,
  decision: ComparedDecision,
): Matches {
  if (links.size === 0 || own.ids.some(({ isEntity }) => !isEntity)) return own;
  const linked = linksHeld(links, decision).map(
    (mention): IdMatch => ({
      form: 'linked',
      mention,
      token: mention.canonical,
      isEntity: false,
      among: 1,
    }),
  );
  return { ...own, ids: [...own.ids, ...linked] };
}

function idBitsOf(ids: readonly IdMatch[], { holders, frequencies }: Context): IdBits {
  const bits = { exact: 0, canonical: 0, digits: 0, text: 0, linked: 0 };
  ids
    .map(({ form, token, among }) => {
      const value = bitsOf(frequencies, holders(token)) / among;
      return { form, value, sure: value * SURENESS[form] };
    })
    .sort((a, b) => b.sure - a.sure)
    .forEach(({ form, value }, place) => {
      bits[form] += place === 0 ? value : FURTHER * value;
    });
  return bits;
}

/** The rarest value in full, the others in part. */
function further(bits: readonly number[]): number {
  const rarest = Math.max(0, ...bits);
  return rarest + FURTHER * (bits.reduce((sum, value) => sum + value, 0) - rarest);
}

/** Usual numbers of holders of a key weigh as much as so many events. */
const KEY_EVENTS = 5;

/** A ticket or a session concerns more than one transaction. */
const LINKED = 0.5;

function transactionKeyOf(
  { token, form, mention, isEntity, among }: IdMatch,
  context: Context,
): number {
  if (isEntity) return 0;
  const own = Math.log2(context.holders(token));
  const key = context.knowledge.key(mention.key);
  const usual =
    key === undefined ? 0 : Math.max(key.log_holders, key.log_events - Math.LN2) / Math.LN2;
  const weight = key === undefined ? 0 : key.matched / (key.matched + KEY_EVENTS);
  const bits = Math.max(own, weight * usual);
  const sureness = form === 'linked' ? LINKED : 1;
  return (sureness * Math.max(0, 1 - bits / MAX_TRANSACTION_BITS)) / among;
}

/** How many of the candidates share each token. */
function countTokens(all: readonly Match[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const {
    matches: { ids, words },
  } of all) {
    for (const token of new Set([...ids.map((match) => match.token), ...words])) {
      counts.set(token, (counts.get(token) ?? 0) + 1);
    }
  }
  return counts;
}

function heldKeys(event: ComparedEvent, all: readonly Match[]): HeldKey[] {
  const holders = new Map<number, number>();
  for (const { key, form } of event.features.mentions) if (form === 'key') holders.set(key, 0);
  for (const { matches } of all) {
    for (const key of new Set(matches.ids.map(({ mention }) => mention.key))) {
      const count = holders.get(key);
      if (count !== undefined) holders.set(key, count + 1);
    }
  }
  const values = new Map(event.features.mentions.map(({ key, canonical }) => [key, canonical]));
  return [...holders].map(([key, count]) => [key, count, values.get(key) ?? 0] as const);
}

/** What decisions that only read hand over: the transaction that they name, to those that act in its case. */
interface HandedOver {
  /** Those that only opened a case in which others act. */
  readonly gives: ReadonlySet<ComparedDecision>;
  /** Those that act in such a case, and so on the transaction. */
  readonly takes: ReadonlySet<ComparedDecision>;
}

/**
 * A case is handed over where all decisions that name the transaction only read, as a triage does, and
 * later ones act in the case that one of them opened, such as a ticket.
 */
function handedOver(all: readonly Match[]): HandedOver {
  const gives = new Set<ComparedDecision>();
  const takes = new Set<ComparedDecision>();
  const naming = all
    .filter(({ matches }) => namesTransaction(matches))
    .map(({ decision }) => decision);
  if (naming.some(mayAct)) return { gives, takes };
  for (const { decision, matches } of all) {
    if (!mayAct(decision)) continue;
    const links = matches.ids.filter(({ form }) => form === 'linked');
    const tokens = new Set(links.map(({ token }) => token));
    if (tokens.size === 0) continue;
    for (const opener of naming) {
      if (opener.timestamp > decision.timestamp) continue;
      if (!opener.features.mentions.some(({ canonical }) => tokens.has(canonical))) continue;
      gives.add(opener);
      takes.add(decision);
    }
  }
  return { gives, takes };
}
