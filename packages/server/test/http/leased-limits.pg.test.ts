import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLeasedLimiter, createLeaseStore } from '#server/http/rate-limit/leased-limiter';
import { systemClock } from '#server/platform/clock';
import { type Answer, decision, expectRefusal } from '../support/client.js';
import { describePostgres } from '../support/postgres.js';
import { type Instance, openTestService, type TestService } from '../support/service.js';

describePostgres('Limits shared through the database', () => {
  let bed: TestService;
  let others: Instance[];

  beforeAll(async () => {
    bed = await openTestService('postgres');
    others = [await bed.another(), await bed.another()];
  });
  afterAll(() => bed.close());

  it.for([
    ['20 a second', 20],
    ['500 a second', 500],
  ] as const)(
    'Processes together never admit more than limit × (t + 1) at %s',
    async ([, limit]) => {
      const orgId = randomUUID();
      const limiters = [bed, ...others].map(({ service }) =>
        createLeasedLimiter(systemClock, createLeaseStore(service.db)),
      );
      const started = performance.now();
      const seconds = () => (performance.now() - started) / 1000;
      let admitted = 0;
      let refused = 0;
      const hammer = async (limiter: (typeof limiters)[number]) => {
        while (seconds() < 1.5 || refused === 0) {
          const { allowed } = await limiter.take(orgId, 'ingest', limit);
          if (allowed) admitted += 1;
          else refused += 1;
          expect(admitted).toBeLessThanOrEqual(limit * (seconds() + 1));
          // Lets the leases of the others interleave.
          await new Promise((resolve) => setImmediate(resolve));
        }
      };
      await Promise.all(limiters.flatMap((limiter) => [hammer(limiter), hammer(limiter)]));
      expect(refused).toBeGreaterThan(0);
      // At most a chunk per process and second lapses unused, so the limit is also used.
      expect(admitted).toBeGreaterThanOrEqual(limit / 2);
    },
  );

  it('Any process answers 429 over HTTP, with the time to retry', async () => {
    const org = await bed.organisation('default');
    const clients = [bed, ...others].map((instance) => instance.client(org.live.key));
    const started = performance.now();
    const body = { decisions: [decision()] };
    const answers: Answer[] = await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        (clients[n % 3] ?? org.live).post('/decisions/batch', body),
      ),
    );
    const seconds = (performance.now() - started) / 1000;
    const refused = answers.filter(({ status }) => status !== 201);
    expect(60 - refused.length).toBeLessThanOrEqual(10 * (seconds + 1));
    expect(60 - refused.length).toBeGreaterThan(0);
    for (const answer of refused) {
      expectRefusal(answer, 'rate_limited');
      expect(answer.header('retry-after')).toBe('1');
      expect(answer.header('ratelimit-policy')).toBe('"batch";q=10;w=1');
    }
  });
});
