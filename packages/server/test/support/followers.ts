import { selectBehind } from '#server/platform/followers/behind';
import { following } from '#server/platform/followers/runner';
import type { Service } from '#server/service';

/** What one follower does may be due for another one, which does it in the next round. */
const MAX_ROUNDS = 5;

/**
 * Lets the followers do what is due, and what follows from it.
 * @param ledgerIds UUIDs; null for all ledgers
 */
export async function followLogs(
  service: Service,
  ledgerIds: readonly string[] | null = null,
): Promise<void> {
  const errors: unknown[] = [];
  const run = following({ ...service, onError: (error) => void errors.push(error) });
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    await run.look(ledgerIds);
    await run.idle();
    if (errors.length > 0) throw errors[0];
    const { installation, followers, clock } = service;
    const behind = await selectBehind(installation, followers, clock.now(), ledgerIds);
    if (behind.length === 0) return;
  }
}
