import { following } from '#server/platform/followers/runner';
import type { Service } from '#server/service';

/** Lets the followers take what is due in every ledger. */
export async function followLogs(service: Service): Promise<void> {
  const errors: unknown[] = [];
  const followers = following({ ...service, onError: (error) => void errors.push(error) });
  await followers.look(null);
  await followers.idle();
  if (errors.length > 0) throw errors[0];
}
