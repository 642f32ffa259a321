import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createLeasedLimiter,
  createLeaseStore,
  type Lease,
  type LeaseFunction,
} from '#server/http/rate-limit/leased-limiter';
import type { Decision } from '#server/http/rate-limit/limiter';

const NOW = 1_800_000_000_000;
const TICKS = 1024;

/** Time that tests advance, and the timers that wait for it. */
function simulatedTime() {
  let now = NOW;
  const sleepers: { at: number; wake: () => void }[] = [];
  return {
    now: () => now,
    sleep: (ms: number) =>
      new Promise<void>((resolve) => {
        sleepers.push({ at: now + ms, wake: resolve });
      }),
    async advance(ms: number) {
      const end = now + ms;
      for (;;) {
        // Runs what is due up to its next wait before the time advances.
        for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
        sleepers.sort((a, b) => a.at - b.at);
        const next = sleepers[0];
        if (next === undefined || next.at > end) break;
        sleepers.shift();
        now = Math.max(now, next.at);
        next.wake();
      }
      now = end;
    },
  };
}

/** The shared store: the arithmetic of the SQL statement, one row for all processes. */
function sharedStore(now: () => number) {
  const tats = new Map<string, number>();
  const log = { queries: 0, granted: 0 };
  const lease = (orgId: string, bucket: string, limit: number, wanted: number): Lease => {
    const row = `${orgId} ${bucket}`;
    const time = Math.floor(now() * TICKS) / TICKS;
    const start = Math.max(time, tats.get(row) ?? 0);
    const free = Math.floor(((time + 1000 - start) * limit) / 1000);
    const granted = Math.max(0, Math.min(wanted, free));
    const tat = start + Math.ceil((granted * 1000 * TICKS) / limit) / TICKS;
    tats.set(row, tat);
    log.queries += 1;
    log.granted += granted;
    return {
      granted,
      retryAfterMs: granted >= wanted ? 0 : Math.max(0, tat + 1000 / limit - 1000 - time),
      remaining: Math.floor(((time + 1000 - tat) * limit) / 1000),
    };
  };
  return { lease, log };
}

function setUp(processes: number, latencyMs = 2) {
  const time = simulatedTime();
  const store = sharedStore(time.now);
  const lease: LeaseFunction = async (...request) => {
    await time.sleep(latencyMs / 2);
    const given = store.lease(...request);
    await time.sleep(latencyMs / 2);
    return given;
  };
  const limiters = Array.from({ length: processes }, () => createLeasedLimiter(time, lease));
  return { time, limiters, log: store.log };
}

type Limiters = ReturnType<typeof setUp>['limiters'];

/** Sends requests to each limiter in turn and collects the answers. */
function sender(limiters: Limiters, limit: () => number) {
  const answers: Decision[] = [];
  const pending: Promise<void>[] = [];
  return {
    answers,
    admitted: () => answers.filter(({ allowed }) => allowed).length,
    send(count: number) {
      for (let n = 0; n < count; n += 1) {
        const taken = limiters[n % limiters.length]?.take('o', 'ingest', limit());
        if (taken instanceof Promise)
          pending.push(taken.then((answer) => void answers.push(answer)));
        else if (taken !== undefined) answers.push(taken);
      }
    },
    settled: () => Promise.all(pending),
  };
}

describe('Limiters that lease from one store', () => {
  it('Limiters together never admit more than limit × (t + 1), for any arrivals', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 400 }),
        fc.array(fc.tuple(fc.nat(400), fc.nat(200)), { minLength: 1, maxLength: 30 }),
        async (processes, limit, arrivals) => {
          const { time, limiters, log } = setUp(processes);
          const traffic = sender(limiters, () => limit);
          for (const [pause, count] of arrivals) {
            await time.advance(pause);
            traffic.send(count);
            const t = (time.now() - NOW) / 1000;
            expect(traffic.admitted()).toBeLessThanOrEqual(limit * (t + 1));
          }
          await time.advance(100);
          await traffic.settled();
          expect(traffic.admitted()).toBeLessThanOrEqual(log.granted);
          expect(log.granted).toBeLessThanOrEqual(limit * ((time.now() - NOW) / 1000 + 1));
        },
      ),
      { numRuns: 60 },
    );
  });

  it.for([10, 100, 1000, 20_000, 1_000_000])(
    'Limiters admit nearly all of %d a second under overload, with few leases',
    async (limit) => {
      const { time, limiters, log } = setUp(3);
      const traffic = sender(limiters, () => limit);
      const seconds = limit > 100_000 ? 1 : 4;
      for (let ms = 0; ms < seconds * 1000; ms += 5) {
        traffic.send(Math.max(3, Math.ceil(limit / 100)));
        await time.advance(5);
      }
      await time.advance(100);
      const allowance = limit * (seconds + 1);
      expect(traffic.admitted()).toBeLessThanOrEqual(allowance);
      // What the load did not use of the last tenth of a second is still in the store.
      const offered = traffic.answers.length;
      expect(traffic.admitted()).toBeGreaterThan(Math.min(offered, allowance) * 0.9 - 1);
      expect(log.queries / seconds / 3).toBeLessThan(50);
    },
  );

  it('A limiter leases about ten times a second for traffic below the limit', async () => {
    const { time, limiters, log } = setUp(1);
    const traffic = sender(limiters, () => 1000);
    for (let ms = 0; ms < 2000; ms += 2) {
      traffic.send(1);
      await time.advance(2);
    }
    await time.advance(100);
    expect(traffic.admitted()).toBe(1000);
    const before = log.queries;
    for (let ms = 0; ms < 2000; ms += 2) {
      traffic.send(1);
      await time.advance(2);
    }
    expect(log.queries - before).toBeLessThanOrEqual(30);
  });

  it('A limiter answers immediately from its lease', async () => {
    const { time, limiters } = setUp(1);
    const traffic = sender(limiters, () => 1000);
    for (let ms = 0; ms < 500; ms += 1) {
      traffic.send(1);
      await time.advance(1);
    }
    await time.advance(10);
    const taken = limiters[0]?.take('o', 'ingest', 1000);
    expect(taken).toMatchObject({ allowed: true, limit: 1000, retryAfterSeconds: 0 });
  });

  it('Waiting requests share one lease', async () => {
    const { time, limiters, log } = setUp(1, 20);
    const traffic = sender(limiters, () => 1000);
    traffic.send(1);
    await time.advance(5);
    traffic.send(300);
    expect(log.queries).toBe(0);
    await time.advance(100);
    expect(traffic.admitted()).toBe(301);
    expect(log.queries).toBe(2);
  });

  it('Concurrent requests to one process are admitted exactly up to the limit', async () => {
    const { time, limiters } = setUp(1);
    const traffic = sender(limiters, () => 100);
    traffic.send(250);
    await time.advance(20);
    expect(traffic.answers).toHaveLength(250);
    expect(traffic.admitted()).toBe(100);
    const refused = traffic.answers.find(({ allowed }) => !allowed);
    expect(refused).toEqual({
      allowed: false,
      limit: 100,
      remaining: 0,
      retryAfterSeconds: 1,
      resetSeconds: 1,
    });
  });

  it('A limiter refuses without a query for a while when the store is empty', async () => {
    const { time, limiters, log } = setUp(1);
    const traffic = sender(limiters, () => 100);
    traffic.send(200);
    await time.advance(10);
    const before = log.queries;
    for (let ms = 0; ms < 40; ms += 1) {
      traffic.send(5);
      await time.advance(1);
    }
    expect(log.queries).toBe(before);
    await time.advance(60);
    traffic.send(1);
    await time.advance(10);
    expect(traffic.answers.at(-1)?.allowed).toBe(true);
  });

  it('A limiter reports what is left, here and in the store', async () => {
    const { time, limiters } = setUp(1);
    const traffic = sender(limiters, () => 100);
    traffic.send(1);
    await time.advance(10);
    expect(traffic.answers[0]?.remaining).toBe(99);
  });

  it('An unused lease lapses after a second', async () => {
    const { time, limiters, log } = setUp(1);
    const traffic = sender(limiters, () => 1000);
    for (let ms = 0; ms < 500; ms += 1) {
      traffic.send(1);
      await time.advance(1);
    }
    await time.advance(1500);
    const before = log.queries;
    traffic.send(1);
    await time.advance(10);
    expect(log.queries).toBe(before + 1);
  });

  it('Each limiter wastes at most one chunk per second', async () => {
    const { time, limiters, log } = setUp(4);
    const traffic = sender(limiters, () => 200);
    for (let ms = 0; ms < 10_000; ms += 10) {
      traffic.send(ms % 1700 < 400 ? 4 : 0);
      await time.advance(10);
    }
    const wasted = log.granted - traffic.admitted();
    expect(wasted).toBeLessThanOrEqual(4 * 10 * 20);
  });

  it('A changed limit applies from the next request', async () => {
    const { time, limiters } = setUp(1);
    let limit = 10;
    const traffic = sender(limiters, () => limit);
    traffic.send(50);
    await time.advance(10);
    expect(traffic.admitted()).toBe(10);
    limit = 1000;
    await time.advance(30);
    traffic.send(20);
    await time.advance(10);
    expect(traffic.admitted()).toBe(30);
    limit = 1;
    traffic.send(20);
    await time.advance(10);
    expect(traffic.admitted()).toBeLessThanOrEqual(31);
  });

  it('Organisations and buckets are limited separately', async () => {
    const { time, limiters } = setUp(1);
    const [limiter] = limiters;
    const taken = [
      limiter?.take('a', 'ingest', 1),
      limiter?.take('b', 'ingest', 1),
      limiter?.take('a', 'read', 1),
      limiter?.take('a', 'ingest', 1),
    ];
    await time.advance(10);
    const answers = await Promise.all(taken);
    expect(answers.map((answer) => answer?.allowed)).toEqual([true, true, true, false]);
  });

  it('A limit of 0 refuses without a query', () => {
    const { limiters, log } = setUp(1);
    expect(limiters[0]?.take('o', 'read', 0)).toMatchObject({ allowed: false });
    expect(log.queries).toBe(0);
  });
});

describe('Failing store', () => {
  it('A failing store fails the waiting requests, and the next request queries it again', async () => {
    let broken = true;
    const limiter = createLeasedLimiter(
      { now: () => NOW },
      async (_org, _bucket, _limit, wanted) => {
        await Promise.resolve();
        if (broken) throw new Error('no database');
        return { granted: wanted, retryAfterMs: 0, remaining: 0 };
      },
    );
    const waiting = [1, 2].map(async () => limiter.take('o', 'read', 10));
    for (const each of await Promise.allSettled(waiting)) expect(each.status).toBe('rejected');
    broken = false;
    expect(await limiter.take('o', 'read', 10)).toMatchObject({ allowed: true });
  });

  it('A grant larger than the request is not trusted', async () => {
    const limiter = createLeasedLimiter({ now: () => NOW }, async () => ({
      granted: 1000,
      retryAfterMs: 0,
      remaining: 0,
    }));
    expect(await limiter.take('o', 'read', 10)).toMatchObject({ allowed: true, remaining: 0 });
  });
});

describe('Lease statement', () => {
  async function ask(row: { granted: number; ahead_ms: number }, limit: number, wanted: number) {
    const statements: { text: string; values: readonly unknown[] }[] = [];
    const lease = createLeaseStore({
      query: async <Row extends object>(statement: {
        text: string;
        values: readonly unknown[];
      }) => {
        statements.push(statement);
        // The only row that this statement returns.
        return [row] as object[] as Row[];
      },
    });
    return { given: await lease('org', 'read', limit, wanted), statements };
  }

  it('A lease is one statement, always with the same text', async () => {
    const first = await ask({ granted: 5, ahead_ms: 5 }, 1000, 5);
    const second = await ask({ granted: 5, ahead_ms: 5 }, 7, 70);
    expect(first.statements).toHaveLength(1);
    expect(first.statements[0]?.text).toBe(second.statements[0]?.text);
    expect(first.statements[0]?.text).toMatch(/^\s*insert into rate_leases[^;]*returning[^;]*$/s);
  });

  it('A lease reports what is left and when there is more', async () => {
    expect((await ask({ granted: 5, ahead_ms: 5 }, 1000, 5)).given).toEqual({
      granted: 5,
      retryAfterMs: 0,
      remaining: 995,
    });
    expect((await ask({ granted: 3, ahead_ms: 995 }, 100, 5)).given).toEqual({
      granted: 3,
      retryAfterMs: 5,
      remaining: 0,
    });
    expect((await ask({ granted: 5, ahead_ms: -3 }, 1000, 5)).given.remaining).toBe(1000);
  });
});
