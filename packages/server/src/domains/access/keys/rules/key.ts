import type { Key } from '@decision-ledger/contract/key';
import type { Mode, Permission } from '@decision-ledger/contract/permissions';
import { formatTimestamp } from '@decision-ledger/contract/time';

interface StoredKey {
  readonly name: string;
  readonly permissions: Permission[];
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
}

/** A key as the API returns it. */
export function describeApiKey(keyId: string, mode: Mode, row: StoredKey): Key {
  return {
    key_id: keyId,
    name: row.name,
    mode,
    permissions: row.permissions,
    created_at: formatTimestamp(row.created_at),
    expires_at: row.expires_at === null ? null : formatTimestamp(row.expires_at),
    revoked_at: row.revoked_at === null ? null : formatTimestamp(row.revoked_at),
  };
}

/** @param now ms */
export function isUsable(row: Pick<StoredKey, 'expires_at' | 'revoked_at'>, now: number): boolean {
  return row.revoked_at === null && (row.expires_at === null || row.expires_at > now);
}
