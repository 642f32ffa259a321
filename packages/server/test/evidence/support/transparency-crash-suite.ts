import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { rebuildLogs } from '#server/domains/evidence/transparency/index';
import type { Database } from '#server/platform/database';
import type { Client } from '../../support/client.js';
import { dyingAfter, dyingInside } from '../../support/dying-database.js';
import { decide } from '../../support/estimates.js';
import {
  type Engine,
  type Instance,
  openTestService,
  scopeOf,
  type TestService,
} from '../../support/service.js';
import { expectNoFork, published, round, storedCheckpoints, storedHashes } from './log-tools.js';

/** More statements than a round has. */
const MAX_STATEMENTS = 200;

export function transparencyCrashSuite(engine: Engine): void {
  let bed: TestService;
  let other: Instance;
  let client: Client;

  beforeAll(async () => {
    bed = await openTestService(engine);
    other = await bed.another();
  });
  beforeEach(async () => {
    client = (await bed.organisation()).live;
  });
  afterAll(() => bed.close());

  /** Dies ever later in a round, until a round succeeds; another process goes on after each death. */
  async function dieEverywhere(dying: (db: Database, at: number) => Database): Promise<number> {
    for (let at = 0; at < MAX_STATEMENTS; at += 1) {
      await decide(client);
      const tools = { ...bed.service, db: dying(bed.service.db, at) };
      const isDead = await round(bed, client, tools).then(
        () => false,
        (error: unknown) => {
          expect(String(error)).toContain('the process has died');
          return true;
        },
      );
      if (!isDead) return at;
      // Half of the deaths are followed by another record before the next round.
      if (at % 2 === 0) await decide(client);
      await round(other, client);
      const hashes = await storedHashes(bed, client, 'decisions');
      expect((await published(client, 'decisions')).size).toBe(hashes.length);
    }
    throw new Error('a round never ended');
  }

  describe('A process that dies during a round', () => {
    it('A process that dies during a round leaves no fork, whichever statement it dies at', async () => {
      expect(await dieEverywhere(dyingInside)).toBeGreaterThan(15);
      await expectNoFork(bed, client);
      await rebuildLogs(
        bed.service.db.ledger(await scopeOf(bed, client)),
        new AbortController().signal,
      );
    });

    it('A process that dies between the transactions of a round leaves no fork', async () => {
      // A round has two transactions at least.
      expect(await dieEverywhere(dyingAfter)).toBeGreaterThanOrEqual(3);
      await expectNoFork(bed, client);
      await rebuildLogs(
        bed.service.db.ledger(await scopeOf(bed, client)),
        new AbortController().signal,
      );
    });

    it('A second checkpoint that a dead process did not make is made by the next round', async () => {
      await round(bed, client);
      await decide(client);
      // Each round that dies gets further; the first one that leaves a new checkpoint of decisions did not
      // reach that of the activity.
      for (let at = 0; ; at += 1) {
        const tools = { ...bed.service, db: dyingAfter(bed.service.db, at) };
        await round(bed, client, tools).catch(() => undefined);
        if ((await storedCheckpoints(bed, client, 'decisions')).length === 2) break;
      }
      expect((await storedCheckpoints(bed, client, 'activity')).length).toBe(1);
      await round(other, client);
      expect((await storedCheckpoints(bed, client, 'decisions')).length).toBe(2);
      expect((await storedCheckpoints(bed, client, 'activity')).length).toBe(2);
      await expectNoFork(bed, client);
    });
  });

  it('Two processes with rounds at the same time leave no fork', async () => {
    for (let at = 0; at < 5; at += 1) {
      const writes = [decide(client), decide(client), decide(client)];
      const rounds = [bed, other, bed, other].map((instance) => round(instance, client));
      await Promise.all([...writes, ...rounds]);
    }
    await round(bed, client);
    await expectNoFork(bed, client);
    await rebuildLogs(
      bed.service.db.ledger(await scopeOf(bed, client)),
      new AbortController().signal,
    );
  });
}
