import { finish, fold } from '@decision-ledger/contract/fold';
import type { Features } from './features.js';

/** Features with a 32-bit hash in place of each text. The hash includes the ledger. */
export type HashedFeatures = Features<number>;

type Kind = 'key' | 'pair' | 'id' | 'amount';

/** @param ledgerId part of the hash, so that ledgers share no values in an index */
export function hasher(ledgerId: string): (kind: Kind, text: string) => number {
  const seeds = {
    key: fold('key ', fold(ledgerId)),
    pair: fold('pair ', fold(ledgerId)),
    id: fold('id ', fold(ledgerId)),
    amount: fold('amount ', fold(ledgerId)),
  };
  return (kind, text) => finish(fold(text, seeds[kind]));
}

export function hashFeatures(ledgerId: string, features: Features): HashedFeatures {
  const hash = hasher(ledgerId);
  return {
    pairs: new Map(
      [...features.pairs].map(([key, pair]) => [hash('key', key), hash('pair', pair)]),
    ),
    ids: new Map(
      [...features.ids].map(([id, keys]) => [
        hash('id', id),
        new Set([...keys].map((key) => hash('key', key))),
      ]),
    ),
    amounts: new Set([...features.amounts].map((amount) => hash('amount', amount))),
  };
}

/** Tokens that select candidates: the pairs and the identifiers. */
export function lookupTokens({ pairs, ids }: HashedFeatures): number[] {
  return [...new Set([...pairs.values(), ...ids.keys()])];
}

/** Tokens whose frequency is counted. */
export function countedTokens({ pairs, ids, amounts }: HashedFeatures): number[] {
  return [...new Set([...pairs.values(), ...ids.keys(), ...amounts])];
}

/**
 * Three lists, each a count and its 32-bit integers: key and pair, key and identifier, amount.
 */
export function packFeatures({ pairs, ids, amounts }: HashedFeatures): Buffer {
  const idKeys = [...ids].flatMap(([id, keys]) => [...keys].map((key) => [key, id]));
  const numbers = [
    pairs.size,
    ...[...pairs].flat(),
    idKeys.length,
    ...idKeys.flat(),
    amounts.size,
    ...amounts,
  ];
  const bytes = Buffer.allocUnsafe(numbers.length * 4);
  numbers.forEach((number, index) => {
    bytes.writeInt32LE(number, index * 4);
  });
  return bytes;
}

export function unpackFeatures(bytes: Buffer): HashedFeatures {
  const pairs = new Map<number, number>();
  const ids = new Map<number, Set<number>>();
  const amounts = new Set<number>();
  let at = 0;
  const next = (): number => {
    at += 4;
    return bytes.readInt32LE(at - 4);
  };
  for (let left = next(); left > 0; left--) pairs.set(next(), next());
  for (let left = next(); left > 0; left--) {
    const key = next();
    const id = next();
    const keys = ids.get(id);
    if (keys === undefined) ids.set(id, new Set([key]));
    else keys.add(key);
  }
  for (let left = next(); left > 0; left--) amounts.add(next());
  return { pairs, ids, amounts };
}
