import { sha256Hex } from '@decision-ledger/proof/hash';
import type { Clock } from '../../../platform/clock.js';
import { expiringCache } from '../../../platform/expiring-cache.js';
import type { Principal } from '../../../platform/principal.js';
import type { CredentialKind, FoundCredential } from './credentials.js';
import { batchedLookup, type CredentialLookup, directLookup } from './lookup.js';

export interface Authenticator {
  /** Whether the text has the format of a credential, checksum included; says nothing about its existence. */
  isKey(text: string): boolean;
  /** The principal of a credential that was looked up less than a second ago; null if it is not cached. */
  recall(text: string): Principal | null;
  /**
   * @param isSuspect if true, a credential that is new to this process is looked up in a batch, up to a
   *   tenth of a second later
   * @returns null for a text that is mistyped, unknown, revoked or expired
   * @throws LedgerError `unavailable` while too many lookups are waiting
   */
  authenticate(text: string, isSuspect?: boolean): Promise<Principal | null>;
  /** Clears the cache, so that a change made by this process takes effect immediately. */
  forgetAll(): void;
}

/** Maximum delay until this process notices a revocation made by another one. */
const STALE_MS = 900;
/** Credentials that were valid once are never delayed by a batch, even if their address is suspect. */
const MAX_SEEN = 10_000;

export function createAuthenticator(clock: Clock, kinds: readonly CredentialKind[]): Authenticator {
  let cache = expiringCache<FoundCredential | null>(clock, STALE_MS);
  const seen = new Set<string>();
  const lookups = kinds.map((kind) => ({
    isText: kind.isText,
    direct: directLookup(kind),
    batched: batchedLookup(kind),
  }));
  const lookupOf = (text: string) => lookups.find(({ isText }) => isText(text));

  function remember(hash: string): void {
    seen.delete(hash);
    seen.add(hash);
    const [oldest] = seen;
    if (seen.size > MAX_SEEN && oldest !== undefined) seen.delete(oldest);
  }

  async function find(hash: string, lookup: CredentialLookup): Promise<FoundCredential | null> {
    const found = await cache.get(hash, () => lookup(hash));
    // Unknown credentials must not displace known ones in the cache.
    if (found === null) cache.forget(hash);
    else remember(hash);
    return found;
  }

  const usable = (found: FoundCredential | null | undefined): Principal | null =>
    found?.isUsable(clock.now()) === true ? found.principal : null;

  return {
    isKey: (text) => lookupOf(text) !== undefined,
    recall: (text) => usable(cache.peek(sha256Hex(text))),
    async authenticate(text, isSuspect = false) {
      const lookup = lookupOf(text);
      if (lookup === undefined) return null;
      const hash = sha256Hex(text);
      const found = cache.peek(hash);
      if (found !== undefined) return usable(found);
      return usable(
        await find(hash, isSuspect && !seen.has(hash) ? lookup.batched : lookup.direct),
      );
    },
    forgetAll() {
      cache = expiringCache(clock, STALE_MS);
    },
  };
}
