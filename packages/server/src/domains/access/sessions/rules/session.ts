import type { Mode, Permission } from '@decision-ledger/contract/permissions';
import { SESSION_HOURS, type Session } from '@decision-ledger/contract/session';
import { formatTimestamp } from '@decision-ledger/contract/time';

const LIFETIME_MS = SESSION_HOURS * 3_600_000;

/** When a session ends; never after its key. Times in ms. */
export function expiryOf(now: number, keyExpiresAt: number | null): number {
  return Math.min(now + LIFETIME_MS, keyExpiresAt ?? Infinity);
}

/** Permissions that are wanted but not held. */
export function lackingPermissions(
  wanted: readonly Permission[],
  held: ReadonlySet<Permission>,
): readonly Permission[] {
  return wanted.filter((permission) => !held.has(permission));
}

interface StoredSession {
  readonly name: string;
  readonly permissions: Permission[];
  readonly created_at: number;
  readonly expires_at: number;
  readonly revoked_at: number | null;
}

/** A session as the API returns it. */
export function describeSession(
  ids: { readonly session_id: string; readonly key_id: string },
  mode: Mode,
  row: StoredSession,
): Session {
  return {
    ...ids,
    name: row.name,
    mode,
    permissions: row.permissions,
    created_at: formatTimestamp(row.created_at),
    expires_at: formatTimestamp(row.expires_at),
    revoked_at: row.revoked_at === null ? null : formatTimestamp(row.revoked_at),
  };
}
