import { unavailable } from '@decision-ledger/contract/errors';
import type { CredentialKind, FoundCredential } from './credentials.js';

/** Finds a credential by its SHA-256, hexadecimal; null if there is none. */
export type CredentialLookup = (hash: string) => Promise<FoundCredential | null>;

/** Queries the database for each credential. */
export function directLookup({ find }: CredentialKind): CredentialLookup {
  return async (hash) => (await find([hash]))[0] ?? null;
}

const BATCH_EVERY_MS = 100;
const MAX_WAITING = 2000;

interface Waiting {
  readonly hash: string;
  readonly resolve: (found: FoundCredential | null) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Looks up all waiting credentials in one query, at most ten times a second. Guesses therefore cost the
 * database little, and a valid credential among them is still found.
 * Rejects with `unavailable` while too many are waiting.
 */
export function batchedLookup({ find }: CredentialKind): CredentialLookup {
  let waiting: Waiting[] = [];

  async function flush(): Promise<void> {
    const batch = waiting;
    waiting = [];
    try {
      const all = await find([...new Set(batch.map(({ hash }) => hash))]);
      const found = new Map(all.map((each) => [each.hash, each]));
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
