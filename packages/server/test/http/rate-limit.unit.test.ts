import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  admit,
  createMemoryLimiter,
  type GcraState,
  rateLimitHeaders,
} from '#server/http/rate-limit/limiter';

const NOW = 1_800_000_000_000;
const perSecond = (limit: number) => ({ limit, periodMs: 1000, burst: limit });

function memory(start = NOW) {
  const clock = { time: start, now: () => clock.time };
  return { clock, limiter: createMemoryLimiter(clock) };
}

/** How many of `attempts` requests at this moment are admitted. */
function admitted(limiter: ReturnType<typeof memory>['limiter'], limit: number, attempts: number) {
  let count = 0;
  for (let n = 0; n < attempts; n += 1) if (limiter.take('o', 'read', limit).allowed) count += 1;
  return count;
}

describe('Generic cell rate algorithm', () => {
  it('The burst is admitted, then one request per interval', () => {
    let state: GcraState | undefined;
    const take = (now: number): boolean => {
      const admission = admit(state, now, { limit: 10, periodMs: 1000, burst: 3 }, 1);
      ({ state } = admission);
      return admission.allowed;
    };
    expect([0, 0, 0, 0].map(take)).toEqual([true, true, true, false]);
    expect([99, 100, 100, 199, 200].map(take)).toEqual([false, true, false, false, true]);
    expect([10_000, 10_000, 10_000, 10_000].map(take)).toEqual([true, true, true, false]);
  });

  it('The time to retry is exact to the millisecond', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5000 }),
        fc.array(fc.nat(2000), { minLength: 1, maxLength: 100 }),
        fc.integer({ min: 1, max: 50 }),
        (limit, steps, cost) => {
          fc.pre(cost <= limit);
          let state: GcraState | undefined;
          let now = NOW;
          for (const step of steps) {
            now += step % 7 === 0 ? step : 0;
            const answer = admit(state, now, perSecond(limit), cost);
            state = answer.state;
            if (answer.allowed) {
              expect(answer.retryAfterMs).toBe(0);
              continue;
            }
            const { retryAfterMs } = answer;
            expect(admit(state, now + retryAfterMs, perSecond(limit), cost).allowed).toBe(true);
            expect(admit(state, now + retryAfterMs - 1, perSecond(limit), cost).allowed).toBe(
              false,
            );
          }
        },
      ),
    );
  });

  it('An admission reports how many remain and when all are back', () => {
    const first = admit(undefined, NOW, perSecond(100), 40);
    expect(first).toMatchObject({ allowed: true, remaining: 60, resetMs: 400 });
    expect(admit(first.state, NOW, perSecond(100), 61).allowed).toBe(false);
    expect(admit(first.state, NOW, perSecond(100), 60).allowed).toBe(true);
    expect(admit(first.state, NOW + 400, perSecond(100), 100).allowed).toBe(true);
    expect(admit(first.state, NOW + 399, perSecond(100), 100).allowed).toBe(false);
  });

  it('A request above the burst is never admitted', () => {
    const { allowed, retryAfterMs } = admit(undefined, NOW, perSecond(5), 6);
    expect({ allowed, retryAfterMs }).toEqual({ allowed: false, retryAfterMs: Infinity });
  });

  it('The algorithm is as exact for one an hour as for a million a second', () => {
    const hourly = { limit: 1, periodMs: 3_600_000, burst: 1 };
    const { state } = admit(undefined, NOW, hourly, 1);
    expect(admit(state, NOW + 3_599_999, hourly, 1)).toMatchObject({
      allowed: false,
      retryAfterMs: 1,
    });
    expect(admit(state, NOW + 3_600_000, hourly, 1).allowed).toBe(true);
  });
});

describe('Limiter in memory', () => {
  it('Simultaneous requests are admitted exactly up to the limit', () => {
    for (const limit of [1, 10, 100, 1000]) {
      const { limiter } = memory();
      expect(admitted(limiter, limit, limit * 3)).toBe(limit);
    }
  });

  it('An overload of t seconds is admitted exactly limit × (t + 1) times', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 300 }),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 60 }),
        (limit, steps) => {
          const { clock, limiter } = memory();
          let count = admitted(limiter, limit, limit + 1);
          for (const step of steps) {
            clock.time += step;
            count += admitted(limiter, limit, Math.ceil((limit * step) / 1000) + 1);
          }
          expect(count).toBe(Math.floor(limit + (limit * (clock.time - NOW)) / 1000));
        },
      ),
    );
  });

  it('A limit of a million a second is exact', () => {
    const { clock, limiter } = memory();
    const limit = 1_000_000;
    expect(admitted(limiter, limit, limit + 5)).toBe(limit);
    for (let ms = 1; ms <= 50; ms += 1) {
      clock.time += 1;
      expect(admitted(limiter, limit, 1001)).toBe(1000);
    }
  });

  it('At most limit × (t + 1) requests are admitted in any period, for any arrivals', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50 }),
        fc.array(fc.tuple(fc.nat(700), fc.nat(60)), { minLength: 1, maxLength: 30 }),
        (limit, arrivals) => {
          const { clock, limiter } = memory();
          const times: number[] = [];
          for (const [pause, attempts] of arrivals) {
            clock.time += pause;
            const count = admitted(limiter, limit, attempts);
            for (let n = 0; n < count; n += 1) times.push(clock.time);
          }
          for (const [from, start] of times.entries()) {
            const last = times.length - 1;
            for (let to = from; to <= last; to += 1) {
              const t = ((times[to] ?? 0) - start) / 1000;
              expect(to - from + 1).toBeLessThanOrEqual(limit * (t + 1) + 1e-9);
            }
          }
        },
      ),
      { numRuns: 30 },
    );
  });

  it('Answers hold whole numbers', () => {
    const { clock, limiter } = memory();
    expect(limiter.take('o', 'batch', 2)).toEqual({
      allowed: true,
      limit: 2,
      remaining: 1,
      retryAfterSeconds: 0,
      resetSeconds: 1,
    });
    limiter.take('o', 'batch', 2);
    const refused = { allowed: false, limit: 2, remaining: 0, retryAfterSeconds: 1 };
    expect(limiter.take('o', 'batch', 2)).toMatchObject(refused);
    clock.time += 499;
    expect(limiter.take('o', 'batch', 2)).toMatchObject(refused);
    clock.time += 1;
    expect(limiter.take('o', 'batch', 2)).toMatchObject({ allowed: true, remaining: 0 });
  });

  it('Organisations and buckets are counted separately', () => {
    const { limiter } = memory();
    expect(limiter.take('a', 'ingest', 1).allowed).toBe(true);
    expect(limiter.take('b', 'ingest', 1).allowed).toBe(true);
    expect(limiter.take('a', 'batch', 1).allowed).toBe(true);
    expect(limiter.take('a', 'ingest', 1).allowed).toBe(false);
  });

  it('A changed limit applies from the next request', () => {
    const { clock, limiter } = memory();
    expect(admitted(limiter, 10, 20)).toBe(10);
    expect(admitted(limiter, 100, 200)).toBe(90);
    expect(admitted(limiter, 10, 20)).toBe(0);
    clock.time += 100;
    expect(admitted(limiter, 10, 20)).toBe(1);
    clock.time += 1000;
    expect(admitted(limiter, 10, 20)).toBe(10);
  });

  it('A limit of 0 refuses everything and reports it in figures', () => {
    const { limiter } = memory();
    expect(limiter.take('o', 'read', 0)).toEqual({
      allowed: false,
      limit: 0,
      remaining: 0,
      retryAfterSeconds: 1,
      resetSeconds: 0,
    });
  });

  it('The limiter recovers after the clock was set back by hours', () => {
    const { clock, limiter } = memory();
    expect(admitted(limiter, 10, 20)).toBe(10);
    clock.time -= 7_200_000;
    expect(admitted(limiter, 10, 20)).toBe(0);
    clock.time += 1000;
    expect(admitted(limiter, 10, 20)).toBe(10);
  });

  it('Only organisations that were active within the last second are remembered', () => {
    const { clock, limiter } = memory();
    for (let n = 0; n < 100_000; n += 1) {
      if (n % 10 === 0) clock.time += 10;
      limiter.take(`organisation ${n}`, 'read', 2);
    }
    expect(limiter.size).toBeLessThanOrEqual(2048);
  });

  it('No organisation over its limit is forgotten', () => {
    const { limiter } = memory();
    for (let n = 0; n < 5000; n += 1) limiter.take(`organisation ${n}`, 'read', 1);
    for (let n = 0; n < 5000; n += 1) {
      expect(limiter.take(`organisation ${n}`, 'read', 1).allowed).toBe(false);
    }
  });
});

describe('Rate limit headers', () => {
  const decision = {
    allowed: true,
    limit: 100,
    remaining: 99,
    retryAfterSeconds: 0,
    resetSeconds: 1,
  };

  it('Rate limit headers are structured fields', () => {
    expect(rateLimitHeaders('ingest', decision)).toEqual({
      'RateLimit-Policy': '"ingest";q=100;w=1',
      RateLimit: '"ingest";r=99;t=1',
    });
  });

  it('A refused request gets the wait in Retry-After', () => {
    const refused = { ...decision, allowed: false, remaining: 0, retryAfterSeconds: 3 };
    expect(rateLimitHeaders('handshake', refused, 60)).toEqual({
      'RateLimit-Policy': '"handshake";q=100;w=60',
      RateLimit: '"handshake";r=0;t=1',
      'Retry-After': '3',
    });
  });

  it('The bucket name is quoted in the headers', () => {
    expect(rateLimitHeaders('a"b\\c', decision).RateLimit).toBe('"a\\"b\\\\c";r=99;t=1');
  });
});
