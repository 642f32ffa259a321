import { unavailable } from '@decision-ledger/contract/errors';
import { expect, it } from 'vitest';
import {
  frameJoiner,
  frameMaker,
  positionCodec,
} from '#server/domains/delivery/stream/ledger-feed';
import { createReplayBuffer } from '#server/domains/delivery/stream/replay-buffer';
import type { StreamPosition } from '#server/domains/delivery/stream/rules/position';
import { Subscriber } from '#server/domains/delivery/stream/subscriber';
import { ringOf } from '../../support/keyring.js';

const SCOPE = { orgId: 'o', ledgerId: 'l', mode: 'live' } as const;
const FRAME_BYTES = 10_000;
/** The number of a frame that reports missed announcements. */
const MISSED = 255;
const BUFFER_BYTES = 200_000;

const at = (decisions: number): StreamPosition => ({ decisions, activity: 0, announcements: 0 });
const frameOf = (n: number) => Buffer.alloc(FRAME_BYTES, n % 256);

/** A feed of decisions in a replay buffer, and a caller whose writes complete one by one. */
function set(start: StreamPosition = at(0)) {
  let now = 0;
  let wall = Date.UTC(2026, 3, 16);
  let reads = 0;
  let fault: Error | null = null;
  let missed = false;
  const buffer = createReplayBuffer(at(0), BUFFER_BYTES);
  const closed: number[] = [];
  const errors: unknown[] = [];
  let isDestroyed = false;
  let pings = 0;
  const taken: Buffer[] = [];
  const handed: { bytes: Buffer; done: () => void }[] = [];
  const frames = frameMaker(SCOPE, positionCodec(ringOf(1).tokens('stream positions')));
  const subscriber = new Subscriber({
    feed: {
      ...{ scope: SCOPE, buffer, frames, join: frameJoiner() },
      read: () => Promise.reject(new Error('the subscriber reads by replay alone')),
      wake: () => undefined,
      close: () => Promise.resolve(),
    },
    filter: { types: null, agentId: null },
    start,
    wire: {
      write: (bytes, done) => void handed.push({ bytes, done }),
      ping: () => {
        pings += 1;
      },
      close: (code) => void closed.push(code),
      destroy: () => {
        isDestroyed = true;
      },
    },
    clock: { now: () => wall },
    stopwatch: () => now,
    replay: (from, to) => {
      reads += 1;
      if (fault !== null) return Promise.reject(fault);
      const end = Math.min(from.decisions + 20, to.decisions);
      const found = Array.from({ length: end - from.decisions }, (_, n) => {
        const seq = from.decisions + n + 1;
        const sent = { type: 'decision.recorded', agentId: null, frame: frameOf(seq) } as const;
        return { after: at(seq), sent };
      });
      const beat = { type: 'heartbeat', agentId: null, frame: frameOf(MISSED) } as const;
      const events = missed ? [{ after: from, sent: beat }, ...found] : found;
      return Promise.resolve({ events, end: at(end), hasMissed: missed, hasErasure: false });
    },
    onError: (error) => void errors.push(error),
  });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  void subscriber.run();
  return {
    ...{ subscriber, closed, errors, handed, settle },
    isDestroyed: () => isDestroyed,
    pings: () => pings,
    clear: () => buffer.clear(),
    reads: () => reads,
    fail: (error: Error | null) => {
      fault = error;
    },
    miss() {
      missed = true;
    },
    setClock(ms: number) {
      wall = ms;
    },
    advance(ms: number) {
      now += ms;
      wall += ms;
      subscriber.keepAlive();
    },
    add(from: number, to: number) {
      for (let n = from; n <= to; n += 1) {
        const sent = { type: 'decision.recorded', agentId: null, frame: frameOf(n) } as const;
        buffer.append([{ after: at(n), sent }], at(n));
      }
      subscriber.wake();
    },
    /** The caller accepts one piece. */
    async take() {
      await settle();
      const next = handed.shift();
      if (next === undefined) return null;
      taken.push(next.bytes);
      next.done();
      await settle();
      return next.bytes;
    },
    /** Sequence numbers of the accepted decisions, without the first heartbeat. */
    numbers() {
      const all = Buffer.concat(taken.slice(1));
      return Array.from({ length: all.length / FRAME_BYTES }, (_, n) => all[n * FRAME_BYTES]);
    },
  };
}

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n + 1);

it('A subscriber is handed one small piece at a time', async () => {
  const desk = set();
  await desk.take();
  desk.add(1, 15);
  await desk.settle();
  expect(desk.handed).toHaveLength(1);
  desk.add(16, 18);
  await desk.settle();
  expect(desk.handed).toHaveLength(1);
  while ((await desk.take()) !== null) expect(desk.handed.length).toBeLessThanOrEqual(1);
  expect(desk.numbers()).toEqual(upTo(18));
  expect(desk.reads()).toBe(0);
});

it('A subscriber behind the replay buffer reads from the database and returns to the replay buffer without a gap', async () => {
  const desk = set();
  await desk.take();
  desk.add(1, 1);
  await desk.settle();
  desk.add(2, 60);
  for (let n = 0; n < 4; n += 1) expect((await desk.take())?.length).toBeLessThan(80_000);
  desk.add(61, 70);
  while ((await desk.take()) !== null) desk.subscriber.wake();
  expect(desk.reads()).toBeGreaterThan(0);
  expect(desk.numbers()).toEqual(upTo(70));
});

it('A subscriber ahead of the replay buffer waits until the replay buffer catches up', async () => {
  const desk = set(at(5));
  await desk.take();
  desk.add(1, 4);
  expect(await desk.take()).toBeNull();
  expect(desk.reads()).toBe(0);
  desk.add(5, 7);
  while ((await desk.take()) !== null) desk.subscriber.wake();
  expect(desk.numbers()).toEqual([6, 7]);
});

it('A subscriber that accepts nothing for 30 seconds is closed as slow, then cut off if it does not respond', async () => {
  const desk = set();
  await desk.take();
  desk.add(1, 3);
  await desk.settle();
  desk.advance(29_999);
  expect(desk.closed).toEqual([]);
  desk.advance(1);
  expect(desk.closed).toEqual([4008]);
  expect(desk.isDestroyed()).toBe(false);
  desk.advance(5000);
  expect(desk.isDestroyed()).toBe(true);
});

it('A slow subscriber that accepts something is not closed', async () => {
  const desk = set();
  await desk.take();
  desk.add(1, 20);
  for (let n = 0; n < 6; n += 1) {
    await desk.settle();
    desk.advance(29_000);
    await desk.take();
  }
  expect(desk.closed).toEqual([]);
  expect(desk.numbers().length).toBeGreaterThan(0);
});

it('A temporary database error is retried, and a permanent one ends the connection', async () => {
  const desk = set();
  await desk.take();
  desk.add(1, 1);
  await desk.settle();
  desk.add(2, 60);
  desk.fail(unavailable('the database is busy'));
  while ((await desk.take()) !== null);
  expect(desk.closed).toEqual([]);
  desk.fail(null);
  desk.subscriber.wake();
  await desk.settle();
  while ((await desk.take()) !== null) desk.subscriber.wake();
  expect(desk.numbers()).toEqual(upTo(60));

  const broken = set();
  await broken.take();
  broken.add(1, 1);
  await broken.settle();
  broken.add(2, 60);
  broken.fail(new Error('no such table'));
  while ((await broken.take()) !== null);
  expect(broken.closed).toEqual([1011]);
  expect(broken.errors).toHaveLength(1);
});

it('Nothing read before an erasure is sent: it is read again', async () => {
  const desk = set();
  await desk.take();
  desk.add(1, 1);
  await desk.settle();
  desk.add(2, 60);
  await desk.take();
  await desk.settle();
  expect(desk.handed).toHaveLength(1);
  const reads = desk.reads();
  expect(reads).toBeGreaterThan(0);
  desk.clear();
  await desk.take();
  expect(desk.reads()).toBe(reads + 1);
  while ((await desk.take()) !== null) desk.subscriber.wake();
  expect(desk.numbers()).toEqual(upTo(60));
});

it('A subscriber that leaves pings unanswered for two minutes is cut off, and others are not', async () => {
  const silent = set();
  const present = set();
  for (const desk of [silent, present]) {
    await desk.take();
    expect(desk.pings()).toBe(1);
  }
  for (let n = 0; n < 5; n += 1) {
    present.subscriber.answered();
    for (const desk of [silent, present]) {
      desk.advance(30_000);
      await desk.take();
    }
    expect(silent.isDestroyed()).toBe(n >= 3);
  }
  expect(silent.pings()).toBe(1);
  expect(present.pings()).toBe(6);
  expect(present.isDestroyed()).toBe(false);
});

it('Nothing is sent after a close', async () => {
  const desk = set();
  await desk.take();
  desk.subscriber.close(1001, 'stopping');
  desk.add(1, 3);
  desk.advance(40_000);
  await desk.settle();
  expect(desk.handed).toEqual([]);
  expect(desk.closed).toEqual([1001]);
});

it('A clock set back by an hour delays nothing, and heartbeats show the new time', async () => {
  const desk = set();
  await desk.take();
  const before = Date.UTC(2026, 3, 15, 23);
  desk.setClock(before);
  for (let n = 1; n <= 2; n += 1) {
    desk.subscriber.answered();
    desk.advance(30_000);
    const beat = (await desk.take())?.toString() ?? '';
    expect(beat).toContain(`"time":"${new Date(before + n * 30_000).toISOString()}"`);
    expect(desk.pings()).toBe(n + 1);
  }
  desk.add(1, 3);
  await desk.settle();
  desk.setClock(0);
  desk.advance(30_000);
  expect(desk.closed).toEqual([4008]);
  desk.setClock(0);
  desk.advance(5000);
  expect(desk.isDestroyed()).toBe(true);
});

it('Missed announcements are reported once for each connection, however many pages are replayed', async () => {
  const desk = set();
  desk.miss();
  await desk.take();
  desk.add(1, 1);
  await desk.settle();
  desk.add(2, 80);
  while ((await desk.take()) !== null) desk.subscriber.wake();
  expect(desk.reads()).toBeGreaterThan(1);
  expect(desk.numbers().filter((number) => number === MISSED)).toHaveLength(1);
  expect(desk.numbers().filter((number) => number !== MISSED)).toEqual(upTo(80));
});
