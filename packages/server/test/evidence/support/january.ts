import type { Scope } from '#server/platform/principal';
import type { Client } from '../../support/client.js';
import { scopeOf, type TestService } from '../../support/service.js';
import { setTime } from './rewrite.js';

/** The range of the bundles of these ledgers. */
export const JANUARY = { start_date: '2027-01-01', end_date: '2027-01-31' };

export interface JanuaryLedger {
  readonly client: Client;
  readonly scope: Scope;
  /** Sets the time of the next record. */
  readonly goTo: (time: string) => Promise<void>;
}

/** A new ledger whose chains begin before January; its decisions are dated up to the clock of the service, in June. */
export async function januaryLedger(bed: TestService): Promise<JanuaryLedger> {
  bed.clock.advance(Date.UTC(2026, 3, 16) - bed.clock.now());
  const client = (await bed.organisation()).live;
  bed.clock.advance(Date.UTC(2027, 5, 1) - bed.clock.now());
  await client.patch('/settings', { rate_limits: { exports_per_hour: 1000 } });
  const scope = await scopeOf(bed, client);
  return { client, scope, goTo: (time) => setTime(bed, scope, time) };
}
