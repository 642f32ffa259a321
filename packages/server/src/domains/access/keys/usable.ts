import type { Clock } from '../../../platform/clock.js';
import type { Queryable } from '../../../platform/database.js';
import { uuidToId } from '../../../platform/ids.js';
import type { Principal } from '../../../platform/principal.js';
import type { Scope } from '../../../platform/scope.js';
import { selectUsableKeys } from './store/api-keys.js';

/**
 * The principals of a ledger's keys that are neither revoked nor expired, by the UUIDs of the keys.
 * @param keyIds UUIDs
 */
export async function usablePrincipals(
  db: Queryable,
  clock: Clock,
  ledger: Pick<Scope, 'ledgerId'>,
  keyIds: readonly string[],
): Promise<Map<string, Principal>> {
  const rows = await selectUsableKeys(db, ledger, keyIds, clock.now());
  return new Map(
    rows.map((row) => {
      const scope = { orgId: row.org_id, ledgerId: row.ledger_id, mode: row.mode };
      const actor = uuidToId('key', row.key_id);
      return [row.key_id, { scope, actor, permissions: new Set(row.permissions) }];
    }),
  );
}
