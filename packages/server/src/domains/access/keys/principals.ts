import { sha256Hex } from '@decision-ledger/proof/hash';
import type { Clock } from '../../../platform/clock.js';
import { uuidToId } from '../../../platform/ids.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import type { Principal } from '../../../platform/principal.js';
import type { Installation } from '../../../platform/statement.js';
import { isUsable } from './rules/key.js';
import { parseKey } from './rules/key-text.js';
import { type KeyOfLedger, selectKeysByHash, selectUsableKeys } from './store/api-keys.js';

export function principalOfKey(row: KeyOfLedger): Principal {
  return {
    scope: { orgId: row.org_id, ledgerId: row.ledger_id, mode: row.mode },
    actor: uuidToId('key', row.key_id),
    permissions: new Set(row.permissions),
  };
}

/** The principal of a key, or the reason why it is invalid. */
export type KeyVerdict =
  | { readonly principal: Principal }
  | { readonly problem: 'mistyped' | 'unknown' | 'revoked' | 'expired' };

/** Explains why a key is invalid. Only for the operator's command line: no answer to a request says it. */
export async function judgeKey(
  installation: Installation,
  clock: Clock,
  text: string,
): Promise<KeyVerdict> {
  if (parseKey(text) === null) return { problem: 'mistyped' };
  const [row] = await selectKeysByHash(installation, [sha256Hex(text)]);
  if (row === undefined) return { problem: 'unknown' };
  if (isUsable(row, clock.now())) return { principal: principalOfKey(row) };
  return { problem: row.revoked_at === null ? 'expired' : 'revoked' };
}

/**
 * The principals of a ledger's keys that are neither revoked nor expired, by the UUIDs of the keys.
 * @param keyIds UUIDs
 */
export async function usablePrincipals(
  ledger: LedgerReader,
  keyIds: readonly string[],
): Promise<Map<string, Principal>> {
  const rows = await selectUsableKeys(ledger, keyIds, ledger.clock.now());
  return new Map(rows.map((row) => [row.key_id, principalOfKey(row)]));
}
