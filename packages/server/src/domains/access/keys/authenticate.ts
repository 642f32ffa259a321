import { sha256Hex } from '@decision-ledger/proof/hash';
import type { Clock } from '../../../platform/clock.js';
import type { Database } from '../../../platform/database.js';
import { expiringCache } from '../../../platform/expiring-cache.js';
import type { Principal } from '../../../platform/principal.js';
import { batchedLookup, directLookup, type KeyLookup } from './lookup.js';
import { principalOf } from './principals.js';
import { isUsable } from './rules/key.js';
import { parseKey } from './rules/key-text.js';
import type { KeyWithLedger } from './store/api-keys.js';

export interface Authenticator {
  /** Whether the text has the format of a key, checksum included; says nothing about its existence. */
  isKey(text: string): boolean;
  /** The principal of a key that was looked up less than a second ago; null if it is not cached. */
  recall(text: string): Principal | null;
  /**
   * @param isSuspect if true, a key that is new to this process is looked up in a batch, up to a tenth
   *   of a second later
   * @returns null for a key that is mistyped, unknown, revoked or expired
   * @throws LedgerError `unavailable` while too many lookups are waiting
   */
  authenticate(text: string, isSuspect?: boolean): Promise<Principal | null>;
  /** Clears the cache, so that a change made by this process takes effect immediately. */
  forgetAll(): void;
}

/** Maximum delay until this process notices a revocation made by another one. */
const STALE_MS = 900;
/** Keys that were valid once are never delayed by a batch, even if their address is suspect. */
const MAX_SEEN = 10_000;

interface Known {
  readonly row: KeyWithLedger;
  readonly principal: Principal;
}

export function createAuthenticator(db: Database, clock: Clock): Authenticator {
  let cache = expiringCache<Known | null>(clock, STALE_MS);
  const seen = new Set<string>();
  const [direct, batched] = [directLookup(db), batchedLookup(db)];

  function remember(hash: string): void {
    seen.delete(hash);
    seen.add(hash);
    const [oldest] = seen;
    if (seen.size > MAX_SEEN && oldest !== undefined) seen.delete(oldest);
  }

  async function find(hash: string, lookup: KeyLookup): Promise<Known | null> {
    const known = await cache.get(hash, async () => {
      const row = await lookup(hash);
      return row === null ? null : { row, principal: principalOf(row) };
    });
    // Unknown keys must not displace known ones in the cache.
    if (known === null) cache.forget(hash);
    else remember(hash);
    return known;
  }

  const usable = (known: Known | null | undefined): Principal | null =>
    known && isUsable(known.row, clock.now()) ? known.principal : null;

  return {
    isKey: (text) => parseKey(text) !== null,
    recall: (text) => usable(cache.peek(sha256Hex(text))),
    async authenticate(text, isSuspect = false) {
      if (parseKey(text) === null) return null;
      const hash = sha256Hex(text);
      const known = cache.peek(hash);
      if (known !== undefined) return usable(known);
      return usable(await find(hash, isSuspect && !seen.has(hash) ? batched : direct));
    },
    forgetAll() {
      cache = expiringCache(clock, STALE_MS);
    },
  };
}
