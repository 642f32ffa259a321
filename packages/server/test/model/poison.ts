import { FollowerList } from '@decision-ledger/contract/operations';
import { expect } from 'vitest';
import { DamagedError } from '#server/platform/failures';
import { selectBehind } from '#server/platform/followers/behind';
import {
  type DueFollower,
  type Follower,
  followsLogs,
  type LogFollower,
} from '#server/platform/followers/follower';
import { dataOf } from '../support/client.js';
import { followLogs } from '../support/followers.js';
import type { Poison, World } from './world.js';

/** Longer than what failed waits for its next try. */
const LONGEST_RETRY_MS = 16 * 60_000;

/** Followers that wait for each other. */
const ATTRIBUTION = ['features', 'outcomes', 'suggestions', 'suggestion-quality'];

/** Lets the followers do what is due. What fails holds up nothing but what follows from it. */
export async function follow({ bed, ledgers, poison }: World): Promise<void> {
  const { service } = bed.instance;
  const followers =
    poison === null ? service.followers : service.followers.map((each) => failing(each, poison));
  await followLogs({ ...service, followers });
  const ids = ledgers.map(({ scope }) => scope.ledgerId);
  const behind = await selectBehind(service.installation, followers, bed.clock.now(), ids);
  const others = behind.filter(
    ({ scope, follower }) =>
      scope.ledgerId !== poison?.ledgerId || !waitsFor(follower, poison.follower),
  );
  expect(others, 'what does not fail goes on').toEqual([]);
}

const waitsFor = (follower: string, failed: string): boolean =>
  follower === failed || (ATTRIBUTION.includes(follower) && ATTRIBUTION.includes(failed));

/** Removes the cause, after which everything is done that was left. */
export async function mend(world: World): Promise<void> {
  if (world.poison === null) return;
  world.poison = null;
  // A process that met damage says so until it ends.
  if (world.bed.instance.service.damage.places.size > 0) await world.bed.replace();
  await world.bed.pass(LONGEST_RETRY_MS);
}

/** Every follower is at the end of its logs, and has failed at nothing. */
export async function expectFollowed(world: World): Promise<void> {
  await follow(world);
  for (const ledger of world.ledgers) {
    const answer = await world.client(ledger).get('/followers');
    for (const { name, kind, logs, due, failed_records } of dataOf(answer, FollowerList)
      .followers) {
      expect(failed_records, `${name} of ${ledger.name}`).toEqual([]);
      expect(due?.waiting ?? 0, `${name} of ${ledger.name}`).toBe(0);
      // A recorder of logs waits for its time.
      const lags = kind === 'projection' ? logs.map(({ lag_records }) => lag_records) : [];
      expect(lags, `${name} of ${ledger.name}`).toEqual(lags.map(() => 0));
    }
  }
}

function failing(follower: Follower, poison: Poison): Follower {
  if (follower.name !== poison.follower) return follower;
  return followsLogs(follower)
    ? failingAtRecords(follower, poison)
    : failingAtSubjects(follower, poison);
}

/** Damage stops every follower, so that no record is passed over. */
function failingAtRecords(follower: LogFollower, { ledgerId, every }: Poison): LogFollower {
  return {
    ...follower,
    async advance(ledger, records) {
      const step = await follower.advance(ledger, records);
      const isPoisoned = Math.floor(records.until / every) > Math.floor(records.after / every);
      if (ledger.ledgerId !== ledgerId || !isPoisoned) return step;
      return {
        ...step,
        async write(tx) {
          await step.write(tx);
          throw new DamagedError('page 7 of base/5/16466', null);
        },
      };
    },
  };
}

function failingAtSubjects(follower: DueFollower, { ledgerId, every }: Poison): DueFollower {
  const isPoison = (subject: string) => Number.parseInt(subject.slice(-6), 16) % every === 0;
  return {
    ...follower,
    async advance(ledger, subjects) {
      const step = await follower.advance(ledger, subjects);
      if (step === null || ledger.ledgerId !== ledgerId) return step;
      return {
        ...step,
        async write(tx, ids) {
          const done = await step.write(tx, ids);
          if (ids.some(isPoison)) throw new Error('a subject is poison');
          return done;
        },
      };
    },
  };
}
