import { FollowerList } from '@decision-ledger/contract/operations';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { storedFigures } from '#server/domains/operations/monitoring/index';
import type { Follower } from '#server/platform/followers/follower';
import { following } from '#server/platform/followers/runner';
import type { StoredFigures } from '#server/platform/stored-metrics';
import { TABLES } from '#server/tables/registry';
import { type Client, dataOf, decision } from '../support/client.js';
import { followLogs } from '../support/followers.js';
import { openTestService, scopeOf, type TestService } from '../support/service.js';
import { giveUpJob } from '../support/stored-jobs.js';
import { charge, eventOf } from '../support/stripe-events.js';
import { deliver, eventsOf, SIGNING_SECRET, setSecrets, settled } from '../support/webhooks.js';

let bed: TestService;
let live: Client;

beforeAll(async () => {
  bed = await openTestService('embedded');
  ({ live } = await bed.organisation());
});
afterAll(() => bed.close());

const sums = async () => {
  const { followers } = dataOf(await live.get('/followers'), FollowerList);
  const found = followers.find(({ name }) => name === 'estimates');
  if (found === undefined) throw new Error('the follower is not listed');
  return found;
};

/** What scrapes show of the follower, over all ledgers. */
async function lag() {
  const read: StoredFigures[] = [];
  await storedFigures({
    ...{ ...bed.service, exportQueues: ['exports', 'long-exports'] },
    onFigures: (figures) => void read.push(figures),
    onError: (error) => expect.unreachable(String(error)),
  })();
  return read[0]?.followers.find(({ follower }) => follower === 'estimates');
}

it('A follower shows how far it is behind, and what it could not take', async () => {
  await live.post('/decisions/batch', { decisions: [decision(), decision(), decision()] });
  const behind = await sums();
  expect(behind).toMatchObject({
    ...{ kind: 'projection', failures: 0, failed_records: [] },
    logs: [{ log: 'decisions', position: 0, head: 3, lag_records: 3 }],
  });
  expect(behind.logs[0]?.lag_seconds).toBeGreaterThan(0);
  const shown = await lag();
  expect(shown).toMatchObject({ records: 3, failures: 0 });
  expect(shown?.seconds).toBeGreaterThan(0);

  await followLogs(bed.service);
  expect((await sums()).logs).toEqual([
    { log: 'decisions', position: 3, head: 3, lag_records: 0, lag_seconds: 0 },
  ]);
  expect(await lag()).toEqual({ follower: 'estimates', records: 0, seconds: 0, failures: 0 });

  await live.post('/decisions', decision());
  const failing: Follower = {
    ...{ name: 'estimates', kind: 'projection', follows: ['decisions'], owns: [], step: 10 },
    advance: async () => {
      throw new Error('this record cannot be added');
    },
  };
  const run = following({
    ...bed.service,
    followers: [failing],
    onError: (error) => expect.unreachable(String(error)),
  });
  await run.look(null);
  await run.idle();
  expect(await sums()).toMatchObject({
    failures: 1,
    failed_records: [
      { log: 'decisions', seq: 4, reason: 'this record cannot be added', retry_at: null },
    ],
  });
  expect(await lag()).toMatchObject({ records: 0, failures: 1 });
});

it('A follower keeps tables that the registry of columns lists, and a projection keeps nothing but what is derived', () => {
  for (const { kind, owns } of bed.service.followers) {
    for (const owned of owns) {
      const [table = '', column] = owned.split('.');
      const columns = TABLES[table]?.columns ?? {};
      const own = Object.entries(columns).filter(
        ([name]) => column === undefined || name === column,
      );
      expect(own, owned).not.toEqual([]);
      const kinds = own.map(([, each]) => each.kind);
      if (kind === 'projection') expect(new Set(kinds), owned).toEqual(new Set(['derived']));
    }
  }
});

it('What was accepted and is not recorded yet is listed, until it is recorded or retried', async () => {
  const { live: other, test } = await bed.organisation();
  const inbox = async (client: Client) =>
    dataOf(await client.get('/followers'), FollowerList).inbox;
  await setSecrets(test, SIGNING_SECRET);
  expect(await inbox(test)).toEqual([]);
  await deliver(bed, test, eventOf('charge.succeeded', charge({ id: 'ch_1' })));
  await deliver(bed, test, eventOf('charge.succeeded', charge({ id: 'ch_2' })));
  const scope = await scopeOf(bed, test);
  await giveUpJob(bed, scope, { object_id: 'ch_3' });
  const [waiting, ...others] = await inbox(test);
  expect(waiting).toMatchObject({ queue: 'stripe-object', waiting: 2, failed: 1 });
  expect(waiting?.lag_seconds).toBeGreaterThan(0);
  expect([others, await inbox(other), await inbox(live)]).toEqual([[], [], []]);
  const worker = await bed.another({ isWorker: true });
  await settled(bed.service);
  await worker.close();
  expect(await inbox(test)).toEqual([
    { queue: 'stripe-object', waiting: 0, lag_seconds: 0, failed: 1 },
  ]);
  expect(await eventsOf(test)).toHaveLength(2);
});
