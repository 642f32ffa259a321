import { finish, fold } from '@decision-ledger/contract/fold';
import { kindOf, namesAnEntity, prefixOf, shapeOf } from './identifiers.js';
import type { Features, Mention, MentionedAmount, MentionForm } from './mentions.js';

/** A mention with 32-bit hashes in place of texts. The hashes include the ledger. */
export interface HashedMention {
  readonly canonical: number;
  readonly raw: number;
  /** 0 without a key. */
  readonly key: number;
  readonly form: MentionForm;
  /** 0 without a digit core. */
  readonly digits: number;
  /** Hash of the kind that the key names (order, customer …); 0 if it names none. */
  readonly kind: number;
  /** Hash of the shape of the value: which of its characters are digits and letters. */
  readonly shape: number;
  /** Whether its key names a person, a firm or a thing rather than a transaction. */
  readonly isEntity: boolean;
  /** How many identifiers its text states, at most 255. */
  readonly among: number;
}

export interface HashedAmount extends Omit<MentionedAmount, 'key'> {
  /** Hash of the canonical decimal. */
  readonly token: number;
  /** Hash of the key. */
  readonly key: number;
}

export interface HashedFeatures {
  readonly mentions: readonly HashedMention[];
  readonly amounts: readonly HashedAmount[];
}

type Kind = 'key' | 'id' | 'raw' | 'digits' | 'word' | 'kind' | 'shape' | 'amount';

/** @param ledgerId part of the hash, so that ledgers share no values in an index */
export function hasher(ledgerId: string): (kind: Kind, text: string) => number {
  const start = fold(ledgerId);
  const seeds = new Map<Kind, number>();
  return (kind, text) => {
    let seed = seeds.get(kind);
    if (seed === undefined) {
      seed = fold(`v2 ${kind} `, start);
      seeds.set(kind, seed);
    }
    // 0 means that there is none.
    return finish(fold(text, seed)) || 1;
  };
}

/** @param ledgerId part of the hashes */
export function hashFeatures(ledgerId: string, features: Features): HashedFeatures {
  const hash = hasher(ledgerId);
  return {
    mentions: features.mentions.map((mention) => hashMention(hash, mention)),
    amounts: features.amounts.map((amount) => ({
      ...amount,
      token: hash('amount', String(amount.value)),
      key: hash('key', amount.key),
    })),
  };
}

const MAX_AMONG = 255;

/** Of letters before digits, the hash of the kind that they name: `MRN-000123` under any key is an `mrn`. */
function shapeHash(hash: ReturnType<typeof hasher>, canonical: string): number {
  const prefix = prefixOf(canonical);
  return prefix === '' ? hash('shape', shapeOf(canonical)) : hash('kind', prefix);
}

function hashMention(hash: ReturnType<typeof hasher>, mention: Mention): HashedMention {
  const { canonical, raw, key, form, digits, among } = mention;
  const kind = kindOf(key);
  return {
    canonical: hash('id', canonical),
    raw: hash('raw', raw),
    key: key === '' ? 0 : hash('key', key),
    form,
    digits: digits === '' ? 0 : hash('digits', digits),
    kind: kind === '' ? 0 : hash('kind', kind),
    shape: shapeHash(hash, canonical),
    isEntity: namesAnEntity(key),
    among: Math.min(among, MAX_AMONG),
  };
}

/** Tokens that select candidates, of a decision (indexed) and of an event (looked up). */
export function lookupTokens({ mentions }: HashedFeatures): number[] {
  return tokensOf(mentions);
}

/** The tokens of identifiers among them, which are looked up without a time window. */
export function idTokens({ mentions }: HashedFeatures): number[] {
  return tokensOf(mentions.filter(({ form }) => form !== 'word'));
}

/** The tokens of the sums of money that a decision states, by which an event of an equal amount finds it. */
export function moneyTokens({ amounts }: HashedFeatures): number[] {
  return [...new Set(amounts.filter(({ isMoney }) => isMoney).map(({ token }) => token))];
}

/** Tokens whose frequency among decisions is counted: the look-up tokens and the amounts. */
export function countedTokens(features: HashedFeatures): number[] {
  const amounts = features.amounts.map(({ token }) => token);
  return [...new Set([...lookupTokens(features), ...amounts])];
}

function tokensOf(mentions: readonly HashedMention[]): number[] {
  const tokens = mentions.flatMap(({ canonical, digits }) =>
    digits === 0 ? [canonical] : [canonical, digits],
  );
  return [...new Set(tokens)];
}
