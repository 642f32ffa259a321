import { sha256Hex } from '@decision-ledger/proof/hash';
import type { Clock } from '../../../platform/clock.js';
import type { Database } from '../../../platform/database.js';
import { expiringCache } from '../../../platform/expiring-cache.js';
import { uuidToId } from '../../../platform/ids.js';
import type { Principal } from '../../../platform/principal.js';
import { batchedLookup, directLookup, type KeyLookup } from './lookup.js';
import { isUsable } from './rules/key.js';
import { parseKey } from './rules/key-text.js';
import type { KeyWithLedger } from './store/api-keys.js';

export interface Authenticator {
  /** Whether it is written as a key, checksum included: anybody can write one. */
  isKey(text: string): boolean;
  /** Whom a key stands for that was asked for less than a second ago; null where that is to be asked. */
  recall(text: string): Principal | null;
  /**
   * @param isSuspect a key that this process has not seen before is looked up together with others,
   *   a tenth of a second later
   * @returns null for a key that is mistyped, unknown, revoked or expired
   * @throws LedgerError `unavailable` when too many keys wait to be looked up
   */
  authenticate(text: string, isSuspect?: boolean): Promise<Principal | null>;
  /** Makes a change of this process's own take effect at once. */
  forgetAll(): void;
}

/** How long a revocation made by another process may go unnoticed. */
const STALE_MS = 900;
/** Keys that were good once: they are looked up at once, whoever else shares their address. */
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
    // Unknown keys take no room that known ones need.
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

export function principalOf(row: KeyWithLedger): Principal {
  return {
    scope: { orgId: row.org_id, ledgerId: row.ledger_id, mode: row.mode },
    actor: uuidToId('key', row.key_id),
    permissions: new Set(row.permissions),
  };
}
