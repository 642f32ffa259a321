import { unavailable } from '@decision-ledger/contract/errors';
import type { Database } from '../../../platform/database.js';
import { type KeyWithLedger, selectKeysByHash } from './store/api-keys.js';

/** Finds a key by its SHA-256, hexadecimal; null where there is none. */
export type KeyLookup = (hash: string) => Promise<KeyWithLedger | null>;

/** Asks at once. */
export function directLookup(db: Database): KeyLookup {
  return async (hash) => (await selectKeysByHash(db, [hash]))[0] ?? null;
}

const BATCH_EVERY_MS = 100;
const MAX_WAITING = 2000;

interface Waiting {
  readonly hash: string;
  readonly resolve: (key: KeyWithLedger | null) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Asks for all that wait together, at most ten times a second, however many keys are tried: guesses
 * cost the database next to nothing, and a good key among them is found all the same.
 * Rejects with `unavailable` when too many wait.
 */
export function batchedLookup(db: Database): KeyLookup {
  let waiting: Waiting[] = [];

  async function ask(): Promise<void> {
    const batch = waiting;
    waiting = [];
    try {
      const keys = await selectKeysByHash(db, [...new Set(batch.map(({ hash }) => hash))]);
      const found = new Map(keys.map((key) => [key.key_hash.toString('hex'), key]));
      for (const { hash, resolve } of batch) resolve(found.get(hash) ?? null);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  return (hash) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= MAX_WAITING) {
        reject(unavailable('too many unknown keys are being looked up'));
        return;
      }
      waiting.push({ hash, resolve, reject });
      if (waiting.length === 1) setTimeout(() => void ask(), BATCH_EVERY_MS);
    });
}
