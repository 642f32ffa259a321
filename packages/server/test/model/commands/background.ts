import { expect } from 'vitest';
import { watchLedgers } from '#server/domains/delivery/alerts/index';
import { PROJECTIONS, rebuildLedger } from '#server/domains/evidence/rebuild/index';
import { replaceSigningKey } from '#server/domains/evidence/signing-keys/index';
import { ownerLogin } from '#server/platform/connection';
import { openDatabase } from '#server/platform/database';
import { workOff } from '../background.js';
import type { Call } from '../call.js';
import { mend } from '../poison.js';

const [MINUTE, DAY] = [60_000, 86_400_000];

export async function work({ world }: Call): Promise<void> {
  await workOff(world);
}

/** A night passes, with its runs, and now and then a month. */
export async function night(call: Call): Promise<void> {
  const { world } = call;
  await world.bed.pass(call.chance(0.2) ? 31 * DAY : DAY);
  await workOff(world);
}

export async function wait(call: Call): Promise<void> {
  await call.world.bed.pass((1 + call.below(300)) * MINUTE);
}

/** Now and then everything ends before it starts again; otherwise, the database stays open. */
export async function restart(call: Call): Promise<void> {
  const { bed } = call.world;
  if (call.chance(0.2)) await bed.restart();
  else await bed.replace();
}

/** As the command line does. */
export async function rotateSigningKey({ world, ledger }: Call): Promise<void> {
  await replaceSigningKey(world.bed.instance.service, ledger.scope, 'operator');
}

/** Looks for what alerts tell, whose receiver may be away. */
export async function watch({ world }: Call): Promise<void> {
  await watchLedgers({ ...world.bed.instance.service, onUndelivered: () => undefined });
}

/** As the command line does: no row of a ledger that nobody damaged is replaced. */
export async function rebuild({ world, ledger }: Call): Promise<void> {
  const { db, storage } = world.bed.instance.service;
  const login = ownerLogin(storage.address);
  const owner = openDatabase({ ...login, maxConnections: 1, context: db.context });
  const before = await world.heads();
  const done = await rebuildLedger(owner.ledger(ledger.scope), PROJECTIONS, () => undefined);
  await owner.close();
  const differing = done.projections.filter(({ differences }) => differences.length > 0);
  expect({ ...done, projections: differing }).toEqual({
    projections: [],
    damage: [],
    failure: null,
    unfinished: [],
  });
  world.touch();
  expect(await world.heads(), 'a rebuild changed a ledger').toEqual(before);
}

/** A follower cannot take some of a ledger from now on. */
export async function breakFollower(call: Call): Promise<void> {
  const { world, ledger } = call;
  const follower = call.pick(world.bed.instance.service.followers);
  if (follower === undefined) throw new Error('there are no followers');
  const every = 1 + call.below(3);
  world.poison = { follower: follower.name, ledgerId: ledger.scope.ledgerId, every };
}

export async function mendFollower({ world }: Call): Promise<void> {
  await mend(world);
}
