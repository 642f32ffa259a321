import type { Ledger } from '#server/platform/ledger';
import type { Projection } from '#server/platform/projections/projection';
import { type Rebuilt, rebuildProjection } from '#server/platform/projections/rebuild';

/** Makes the rows of a projection again, and records nothing. */
export function rebuilt(ledger: Ledger, projection: Projection): Promise<Rebuilt> {
  const replaced = () => Promise.resolve();
  return rebuildProjection(ledger, projection, { part: () => undefined, replaced });
}
