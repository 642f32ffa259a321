import { following } from '#server/platform/followers/runner';
import type { Service } from '#server/service';

/**
 * Lets the followers take what is due.
 * @param ledgerIds UUIDs; null for all ledgers
 */
export async function followLogs(
  service: Service,
  ledgerIds: readonly string[] | null = null,
): Promise<void> {
  const errors: unknown[] = [];
  const followers = following({ ...service, onError: (error) => void errors.push(error) });
  await followers.look(ledgerIds);
  await followers.idle();
  if (errors.length > 0) throw errors[0];
}
