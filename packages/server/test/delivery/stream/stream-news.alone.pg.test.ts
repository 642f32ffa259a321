import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { decision } from '../../support/client.js';
import { describePostgres } from '../../support/postgres.js';
import { type Instance, openTestService, type TestService } from '../../support/service.js';
import { connect, listen } from '../../support/stream.js';

const EVENTS = 11;
/**
 * Without notifications a process polls once a second: half of its events would take longer than
 * this.
 */
const MAX_MS = 300;

describePostgres('Notifications between processes', () => {
  let bed: TestService;
  let other: Instance;

  beforeAll(async () => {
    bed = await openTestService('postgres');
    other = await bed.another();
  });
  afterAll(() => bed.close());

  it('An event reaches a listener at another process long before its next poll', async () => {
    const { live } = await bed.organisation();
    const listener = await connect(await listen(other.http), { key: live.key });
    const delays: number[] = [];
    for (let n = 1; n <= EVENTS; n += 1) {
      // At varying times between two polls.
      await sleep(n * 90);
      await live.post('/decisions', decision());
      const answered = performance.now();
      await listener.until(({ events }) => events.length === n);
      delays.push(performance.now() - answered);
    }
    await listener.close();
    const median = delays.sort((a, b) => a - b)[(EVENTS - 1) / 2];
    expect(median, `delays: ${delays.map(Math.round).join(', ')}`).toBeLessThan(MAX_MS);
  });
});
