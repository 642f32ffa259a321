import { finish, fold } from '@decision-ledger/contract/fold';
import { prefixOf, shapeOf } from './identifiers.js';
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

type Kind = 'key' | 'id' | 'raw' | 'digits' | 'kind' | 'shape' | 'amount';

/** Hashes a text of a ledger. The kind and the ledger are parts of the hash, so that ledgers share no values in an index. */
export type Hash = (kind: Kind, text: string) => number;

export function hasher(ledgerId: string): Hash {
  const start = fold(ledgerId);
  const seedOf = (kind: Kind) => fold(`v2 ${kind} `, start);
  const seeds: Readonly<Record<Kind, number>> = {
    key: seedOf('key'),
    id: seedOf('id'),
    raw: seedOf('raw'),
    digits: seedOf('digits'),
    kind: seedOf('kind'),
    shape: seedOf('shape'),
    amount: seedOf('amount'),
  };
  // 0 means that there is none.
  return (kind, text) => finish(fold(text, seeds[kind])) || 1;
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
function shapeHash(hash: Hash, canonical: string): number {
  const prefix = prefixOf(canonical);
  return prefix === '' ? hash('shape', shapeOf(canonical)) : hash('kind', prefix);
}

function hashMention(hash: Hash, mention: Mention): HashedMention {
  const { canonical, raw, key, form, digits, among } = mention;
  return {
    canonical: hash('id', canonical),
    raw: hash('raw', raw),
    key: key.name === '' ? 0 : hash('key', key.name),
    form,
    digits: digits === '' ? 0 : hash('digits', digits),
    kind: key.kind === '' ? 0 : hash('kind', key.kind),
    shape: shapeHash(hash, canonical),
    isEntity: key.namesAnEntity,
    among: Math.min(among, MAX_AMONG),
  };
}

/** Tokens that select candidates, of a decision (indexed) and of an event (looked up). */
export function lookupTokens({ mentions }: HashedFeatures): number[] {
  const tokens = new Set<number>();
  for (const mention of mentions) addTokens(tokens, mention);
  return [...tokens];
}

/** The tokens of identifiers among them, which are looked up without a time window. */
export function idTokens({ mentions }: HashedFeatures): number[] {
  const tokens = new Set<number>();
  for (const mention of mentions) if (mention.form !== 'word') addTokens(tokens, mention);
  return [...tokens];
}

/** The tokens of the sums of money that a decision states, by which an event of an equal amount finds it. */
export function moneyTokens({ amounts }: HashedFeatures): number[] {
  const tokens = new Set<number>();
  for (const { isMoney, token } of amounts) if (isMoney) tokens.add(token);
  return [...tokens];
}

/** Tokens whose frequency among decisions is counted: the look-up tokens and the amounts. */
export function countedTokens({ mentions, amounts }: HashedFeatures): Set<number> {
  const tokens = new Set<number>();
  for (const mention of mentions) addTokens(tokens, mention);
  for (const { token } of amounts) tokens.add(token);
  return tokens;
}

function addTokens(tokens: Set<number>, { canonical, digits }: HashedMention): void {
  tokens.add(canonical);
  if (digits !== 0) tokens.add(digits);
}
