import { idToUuid, uuidToId } from '../../../platform/ids.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import type { Principal } from '../../../platform/principal.js';
import type { Installation } from '../../../platform/statement.js';
import { type CredentialKind, isUsable, usablePrincipals } from '../keys/index.js';
import { TOKEN } from './open.js';
import {
  type SessionOfLedger,
  selectSessionsByHash,
  selectSessionsOfLedger,
} from './store/sessions.js';

function principalOf(row: SessionOfLedger): Principal {
  const sessionId = uuidToId('ses', row.session_id);
  return {
    scope: { orgId: row.org_id, ledgerId: row.ledger_id, mode: row.mode },
    actor: `${row.name} (${sessionId})`,
    permissions: new Set(row.permissions),
    session: {
      sessionId,
      name: row.name,
      keyId: uuidToId('key', row.key_id),
      expiresAt: row.expires_at,
    },
  };
}

/** A session is usable while both it and its key are. */
function isActive(row: SessionOfLedger, now: number): boolean {
  const key = { expires_at: row.key_expires_at, revoked_at: row.key_revoked_at };
  return isUsable(row, now) && isUsable(key, now);
}

export function sessionCredentials(installation: Installation): CredentialKind {
  return {
    isText: (text) => TOKEN.parse(text) !== null,
    find: async (hashes) =>
      (await selectSessionsByHash(installation, hashes)).map((row) => ({
        hash: row.token_hash.toString('hex'),
        principal: principalOf(row),
        isUsable: (now) => isActive(row, now),
      })),
  };
}

/**
 * The principals of those keys and sessions of a ledger that can still be used.
 * @param ids public identifiers of keys and sessions
 * @returns principals by those identifiers
 */
export async function usableCredentials(
  ledger: LedgerReader,
  ids: readonly string[],
): Promise<Map<string, Principal>> {
  const keys = ids.flatMap((id) => idToUuid('key', id) ?? []);
  const sessions = ids.flatMap((id) => idToUuid('ses', id) ?? []);
  const found = new Map<string, Principal>();
  if (keys.length > 0) {
    const principals = await usablePrincipals(ledger, keys);
    for (const [uuid, principal] of principals) found.set(uuidToId('key', uuid), principal);
  }
  if (sessions.length > 0) {
    for (const row of await selectSessionsOfLedger(ledger, sessions)) {
      if (isActive(row, ledger.clock.now()))
        found.set(uuidToId('ses', row.session_id), principalOf(row));
    }
  }
  return found;
}
