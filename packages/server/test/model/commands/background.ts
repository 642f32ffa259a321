import { watchLedgers } from '#server/domains/delivery/alerts/index';
import { rotateKey } from '#server/domains/evidence/signing-keys/index';
import { workOff } from '../background.js';
import type { Call } from '../call.js';

const [MINUTE, DAY] = [60_000, 86_400_000];

export async function work({ world }: Call): Promise<void> {
  await workOff(world);
}

/** A night passes, with its runs, and now and then a month. */
export async function night(call: Call): Promise<void> {
  const { world } = call;
  world.bed.clock.advance(call.chance(0.2) ? 31 * DAY : DAY);
  await workOff(world);
}

export async function wait(call: Call): Promise<void> {
  call.world.bed.clock.advance((1 + call.below(300)) * MINUTE);
}

/** Another process goes on with the same database, and the former one ends in order; the first one stays idle. */
export async function restart({ world }: Call): Promise<void> {
  if (world.instance !== world.bed) await world.instance.close();
  world.instance = await world.bed.another();
}

/** As the command line does. */
export async function rotateSigningKey({ world, ledger }: Call): Promise<void> {
  await rotateKey(world.instance.service, ledger.scope, 'operator');
}

/** Looks for what alerts tell, whose receiver may be away. */
export async function watch({ world }: Call): Promise<void> {
  await watchLedgers({ ...world.instance.service, onUndelivered: () => undefined });
}
