import { type Clock, systemClock } from './clock.js';
import { createIdFactory, type IdFactory } from './ids.js';
import { createRandomPool, type RandomPool } from './random.js';

/** What the handles of all ledgers share in a process. */
export interface LedgerContext {
  readonly clock: Clock;
  readonly ids: IdFactory;
  readonly random: RandomPool;
}

export function ledgerContext(clock: Clock = systemClock): LedgerContext {
  return { clock, ids: createIdFactory({ clock }), random: createRandomPool() };
}
