import type { Clock } from '../../../platform/clock.js';
import { expiringCache } from '../../../platform/expiring-cache.js';
import type { Installation } from '../../../platform/statement.js';
import { selectEveryOrigin } from './store/settings.js';

/** How long a process may take to notice a change. */
const STALE_MS = 900;
const ALL = 'all';

/** Reads the origins of all ledgers, at most once a second. */
export function everyOrigin(
  installation: Installation,
  clock: Clock,
): () => Promise<ReadonlySet<string>> {
  const cache = expiringCache<ReadonlySet<string>>(clock, STALE_MS);
  return () => cache.get(ALL, async () => new Set(await selectEveryOrigin(installation)));
}
