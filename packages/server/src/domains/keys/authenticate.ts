import { timingSafeEqual } from 'node:crypto';
import { sha256Hex } from '@decision-ledger/proof/hash';
import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/database.js';
import { expiringCache } from '../../platform/expiring-cache.js';
import { uuidToId } from '../../platform/ids.js';
import type { Principal } from '../../platform/principal.js';
import { isUsable } from './rules/key.js';
import { parseKey } from './rules/key-text.js';
import { type KeyWithLedger, selectKeyByHash } from './store/select-key-by-hash.js';

export interface Authenticator {
  /** @returns null for a key that is mistyped, unknown, revoked or expired */
  authenticate(text: string): Promise<Principal | null>;
  /** Makes a change of this process's own take effect at once. */
  forgetAll(): void;
}

/** How long a revocation made by another process may go unnoticed. */
const STALE_MS = 900;

interface Known {
  readonly row: KeyWithLedger;
  readonly principal: Principal;
}

export function createAuthenticator(db: Database, clock: Clock): Authenticator {
  let cache = expiringCache<Known | null>(clock, STALE_MS);

  async function load(hash: string): Promise<Known | null> {
    const row = await selectKeyByHash(db, hash);
    if (row === null || !timingSafeEqual(row.key_hash, Buffer.from(hash, 'hex'))) return null;
    return { row, principal: principalOf(row) };
  }

  return {
    async authenticate(text) {
      if (parseKey(text) === null) return null;
      const hash = sha256Hex(text);
      const known = cache.peek(hash) ?? (await cache.get(hash, () => load(hash)));
      return known !== null && isUsable(known.row, clock.now()) ? known.principal : null;
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
