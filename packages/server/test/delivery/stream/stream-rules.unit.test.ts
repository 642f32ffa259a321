import { createRequire } from 'node:module';
import type { Writable } from 'node:stream';
import { STREAM_LOGS, type StreamLog } from '@decision-ledger/contract/stream-events';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { frameJoiner, positionCodec } from '#server/domains/delivery/stream/ledger-feed';
import { createReplayBuffer } from '#server/domains/delivery/stream/replay-buffer';
import { textFrame } from '#server/domains/delivery/stream/rules/frame';
import {
  type LogRecord,
  mergeLogs,
  readStreamPosition,
  type StreamPosition,
  streamPositionText,
} from '#server/domains/delivery/stream/rules/position';
import { ringOf } from '../../support/keyring.js';

/** The types of the library omit it. */
const { Receiver }: { Receiver: new (options: { isServer: boolean }) => Writable } = createRequire(
  import.meta.url,
)('ws');

const START: StreamPosition = { decisions: 0, activity: 0, announcements: 0 };
const SCOPE = { orgId: 'o', ledgerId: 'l', mode: 'live' } as const;

const seq = fc.nat({ max: Number.MAX_SAFE_INTEGER });
const position = fc.record({ decisions: seq, activity: seq, announcements: seq });

describe('Stream positions', () => {
  it('A position is restored from its text, and no other text is a position', () => {
    fc.assert(
      fc.property(position, (at) => {
        expect(readStreamPosition(streamPositionText(at))).toEqual(at);
      }),
    );
    for (const text of ['', '1.1', '01.1.1', '1.1.1.1', '-1.1.1', 'A.1.1', 'zzzzzzzzzzz.1.1']) {
      expect(readStreamPosition(text)).toBeNull();
    }
  });

  it('A position is accepted only unchanged and by its own ledger', () => {
    const codec = positionCodec(ringOf(1).tokens('stream positions'));
    const other = positionCodec(ringOf(2).tokens('stream positions'));
    fc.assert(
      fc.property(position, fc.nat({ max: 40 }), (at, place) => {
        const id = codec.encode(SCOPE, at);
        expect(codec.decode(SCOPE, id)).toEqual(at);
        expect(codec.decode({ ...SCOPE, ledgerId: 'm' }, id)).toBeNull();
        expect(other.decode(SCOPE, id)).toBeNull();
        const spot = place % id.length;
        const bent = `${id.slice(0, spot)}${id[spot] === 'a' ? 'b' : 'a'}${id.slice(spot + 1)}`;
        expect(codec.decode(SCOPE, bent)).toBeNull();
        expect(codec.decode(SCOPE, id.slice(0, spot))).toBeNull();
      }),
    );
  });
});

/** Logs with gaps, each in numerical order; times rise within a log. */
const log = (name: StreamLog) =>
  fc
    .array(fc.record({ step: fc.integer({ min: 1, max: 3 }), wait: fc.nat({ max: 5 }) }), {
      maxLength: 40,
    })
    .map((steps) => {
      let [seq, time] = [0, 0];
      return steps.map(({ step, wait }): LogRecord => {
        seq += step;
        time += wait;
        return { log: name, seq, time };
      });
    });

const logs = fc.record({
  decisions: log('decisions'),
  activity: log('activity'),
  announcements: log('announcements'),
});

describe('Merged logs', () => {
  it('Merged logs are complete, each in order and all by time, for any page size', () => {
    fc.assert(
      fc.property(logs, fc.integer({ min: 1, max: 7 }), (all, size) => {
        const end = (name: StreamLog) => all[name].at(-1)?.seq ?? 0;
        const to: StreamPosition = {
          decisions: end('decisions'),
          activity: end('activity'),
          announcements: end('announcements') + 2,
        };
        const got: LogRecord[] = [];
        let at = START;
        while (streamPositionText(at) !== streamPositionText(to)) {
          const page = (name: StreamLog) => {
            const items = all[name].filter((item) => item.seq > at[name]).slice(0, size);
            return { items, isCut: items.length === size };
          };
          const merged = mergeLogs(at, to, {
            decisions: page('decisions'),
            activity: page('activity'),
            announcements: page('announcements'),
          });
          expect(streamPositionText(merged.end)).not.toBe(streamPositionText(at));
          for (const { item, after } of merged.items) {
            got.push(item);
            // A client that continues here gets neither this event nor an earlier one again.
            expect(after[item.log]).toBe(item.seq);
          }
          at = merged.end;
        }
        for (const name of STREAM_LOGS)
          expect(got.filter((item) => item.log === name)).toEqual(all[name]);
        expect(got.map(({ time }) => time)).toEqual(
          got.map(({ time }) => time).sort((a, b) => a - b),
        );
      }),
    );
  });
});

describe('Replay buffer', () => {
  it('The replay buffer returns what follows each position it holds, and nothing it dropped', () => {
    const buffer = createReplayBuffer(START, 10_000);
    for (let n = 1; n <= 200; n += 1) {
      const after = { ...START, decisions: n };
      const frame = Buffer.alloc(100);
      const sent = { type: 'decision.recorded', agentId: null, frame } as const;
      buffer.append([{ after, sent }], after);
      expect(buffer.end).toBe(n);
      expect(buffer.find(after)).toBe(n);
      expect(buffer.get(n - 1)?.after).toEqual(after);
    }
    const held = Array.from({ length: 201 }, (_, n) => buffer.find({ ...START, decisions: n }));
    const first = held.findIndex((place) => place !== undefined);
    expect(first).toBeGreaterThan(150);
    expect(held.slice(first)).toEqual(Array.from({ length: 201 - first }, (_, n) => first + n));
    expect(buffer.get(first)?.after.decisions).toBe(first + 1);
    expect(buffer.get(first - 1)).toBeUndefined();
  });

  it('A cleared replay buffer is empty and continues from there', () => {
    const buffer = createReplayBuffer(START, 10_000);
    for (const n of [1, 2, 3]) {
      const at = { ...START, decisions: n };
      buffer.append([{ after: at, sent: null }], at);
    }
    buffer.clear();
    const at = (decisions: number) => ({ ...START, decisions });
    expect([0, 1, 2, 3].map((n) => buffer.find(at(n)))).toEqual([...Array(3), 3]);
    expect([0, 1, 2, 3].map((place) => buffer.get(place))).toEqual(Array(4));
    buffer.append([{ after: at(4), sent: null }], at(4));
    expect([buffer.get(3)?.after, buffer.find(at(4)), buffer.end]).toEqual([at(4), 4, 4]);
  });

  it('The replay buffer advances past records that are not sent', () => {
    const buffer = createReplayBuffer(START, 10_000);
    const end = { ...START, activity: 3 };
    buffer.append([], end);
    expect([buffer.position, buffer.find(end), buffer.find(START)]).toEqual([end, 1, 0]);
  });
});

describe('Frames', () => {
  it.for([0, 1, 125, 126, 127, 65_535, 65_536, 200_000])(
    'A frame of %i bytes is read by an independent parser',
    async (size) => {
      const text = 'é'.repeat(Math.floor(size / 2)) + 'x'.repeat(size % 2);
      const receiver = new Receiver({ isServer: false });
      const read = new Promise<string>((resolve) =>
        receiver.on('message', (data: Buffer, isBinary: boolean) =>
          resolve(isBinary ? 'bytes' : String(data)),
        ),
      );
      receiver.write(textFrame(text));
      expect((await read) === text).toBe(true);
    },
  );

  it('A run of frames is joined once for all who request it', () => {
    const join = frameJoiner();
    const [a, b, c] = ['a', 'b', 'c'].map((text) => Buffer.from(text));
    if (a === undefined || b === undefined || c === undefined) throw new Error('no frames');
    const first = join([a, b]);
    expect(first.toString()).toBe('ab');
    expect(join([a, b])).toBe(first);
    expect(join([a, b, c]).toString()).toBe('abc');
    expect(join([b, c]).toString()).toBe('bc');
  });
});
