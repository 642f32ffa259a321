import { unavailable } from '@decision-ledger/contract/errors';
import type { Database } from '../../../platform/database.js';
import { type KeyWithLedger, selectKeysByHash } from './store/api-keys.js';

/** Finds a key by its SHA-256, hexadecimal; null if there is none. */
export type KeyLookup = (hash: string) => Promise<KeyWithLedger | null>;

/** Queries the database for each key. */
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
 * Looks up all waiting keys in one query, at most ten times a second. Guessed keys therefore cost the
 * database little, and a valid key among them is still found.
 * Rejects with `unavailable` while too many keys are waiting.
 */
export function batchedLookup(db: Database): KeyLookup {
  let waiting: Waiting[] = [];

  async function flush(): Promise<void> {
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
      if (waiting.length === 1) setTimeout(() => void flush(), BATCH_EVERY_MS);
    });
}
