import type { Permission } from '@decision-ledger/client/api/shared';

/** What each permission allows, in the order of the form. */
const PERMISSIONS: Readonly<Record<Permission, string>> = {
  ingest: 'Record decisions, events and links',
  record: 'Record decisions alone, from a browser',
  read: 'Read everything, and verify the chains',
  review: 'Confirm and reject links',
  export: 'Request and download exports',
  stream: 'Receive live updates',
  webhook: 'Deliver payments, for Stripe',
  erase: 'Erase payload fields for good',
  manage: 'Delete financial events',
  admin: 'Keys, settings and dead letters',
};

/** Those that the person may give: nobody gives what they lack. */
export function grantable(held: readonly Permission[]): readonly (readonly [Permission, string])[] {
  return held.map((name) => [name, PERMISSIONS[name]]);
}

/**
 * Whether a key may still be used.
 * @param now ms since the epoch
 */
export function isActive(
  key: { readonly revoked_at: string | null; readonly expires_at: string | null },
  now: number,
): boolean {
  return key.revoked_at === null && (key.expires_at === null || Date.parse(key.expires_at) > now);
}
