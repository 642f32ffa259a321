import {
  LedgerStream,
  type LedgerStreamOptions,
  StreamEndedError,
  type StreamSocket,
} from '@decision-ledger/client/stream';
import { expect, it } from 'vitest';

interface SocketEvent {
  readonly data: unknown;
  readonly code: number;
  readonly reason: string;
}

class FakeSocket implements StreamSocket {
  readonly url: URL;
  isClosed = false;
  readonly #listeners: [type: string, listener: (event: SocketEvent) => void][] = [];

  constructor(url: string) {
    this.url = new URL(url);
  }

  addEventListener(type: string, listener: (event: SocketEvent) => void): void {
    this.#listeners.push([type, listener]);
  }

  tell(type: string, event: Partial<SocketEvent>): void {
    const whole = { data: null, code: 0, reason: '', ...event };
    for (const [wanted, listener] of this.#listeners) if (wanted === type) listener(whole);
  }

  close(): void {
    this.isClosed = true;
  }
}

/** Sockets and time controlled by a test. */
function platform(options: Partial<LedgerStreamOptions> = {}) {
  const sockets: FakeSocket[] = [];
  let timers: { at: number; work: () => void }[] = [];
  let now = 0;
  let asked = 0;
  const stream = new LedgerStream({
    url: 'https://ledger.example.com',
    credential: () => {
      asked += 1;
      return Promise.resolve({ ticket: `ticket ${asked}` });
    },
    open(url) {
      const socket = new FakeSocket(url);
      sockets.push(socket);
      return socket;
    },
    timers: {
      after(ms, work) {
        const timer = { at: now + ms, work };
        timers.push(timer);
        return () => {
          timers = timers.filter((one) => one !== timer);
        };
      },
    },
    random: () => 0.5,
    ...options,
  });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    stream,
    sockets,
    last(): FakeSocket {
      const socket = sockets.at(-1);
      if (socket === undefined) throw new Error('nothing was opened');
      return socket;
    },
    settle,
    async advance(ms: number) {
      now += ms;
      const due = timers.filter(({ at }) => at <= now);
      timers = timers.filter(({ at }) => at > now);
      for (const { work } of due) work();
      await settle();
    },
    send(seq: number | null) {
      const type = seq === null ? 'heartbeat' : 'decision.recorded';
      const time = '2026-04-16T09:30:00.000Z';
      const event = { id: `id ${seq}`, type, mode: 'live', time, seq, data: {} };
      sockets.at(-1)?.tell('message', { data: JSON.stringify(event) });
    },
    end(code: number) {
      sockets.at(-1)?.tell('close', { code, reason: 'because' });
    },
  };
}

const parametersOf = ({ url }: FakeSocket) => Object.fromEntries(url.searchParams);

it('Events arrive in order over several connections, each resuming after the last event', async () => {
  const desk = platform({ types: ['decision.recorded'], agentId: 'a' });
  const first = desk.stream.next();
  await desk.settle();
  expect(desk.last().url.origin + desk.last().url.pathname).toBe(
    'wss://ledger.example.com/ws/v1/stream',
  );
  const narrowed = { types: 'decision.recorded', agent_id: 'a' };
  expect(parametersOf(desk.last())).toEqual({ ...narrowed, ticket: 'ticket 1' });
  desk.send(1);
  desk.send(2);
  expect((await first).value?.seq).toBe(1);
  expect(desk.stream.position).toBe('id 1');
  desk.end(1001);
  await desk.advance(500);
  expect(parametersOf(desk.last())).toEqual({ ...narrowed, ticket: 'ticket 2', after: 'id 2' });
  desk.send(3);
  expect((await desk.stream.next()).value?.seq).toBe(2);
  expect((await desk.stream.next()).value?.seq).toBe(3);
});

it('The wait grows after each failed try, half of it random, and starts again after a success', async () => {
  const desk = platform();
  void desk.stream.next();
  await desk.settle();
  for (const wait of [375, 750, 1500, 3000, 6000, 12_000, 22_500, 22_500]) {
    const before = desk.sockets.length;
    desk.end(1006);
    await desk.advance(wait - 1);
    expect(desk.sockets).toHaveLength(before);
    await desk.advance(1);
    expect(desk.sockets).toHaveLength(before + 1);
  }
  // The first frame does not show how long the connection will last.
  desk.send(null);
  desk.end(1011);
  await desk.advance(22_500);
  desk.send(null);
  desk.send(1);
  desk.end(1006);
  const before = desk.sockets.length;
  await desk.advance(375);
  expect(desk.sockets).toHaveLength(before + 1);
});

it('A connection without a frame for 90 seconds is replaced', async () => {
  const desk = platform();
  void desk.stream.next();
  await desk.settle();
  const stale = desk.last();
  for (let n = 0; n < 3; n += 1) {
    await desk.advance(89_999);
    desk.send(null);
  }
  expect(desk.sockets).toHaveLength(1);
  await desk.advance(90_000);
  expect(stale.isClosed).toBe(true);
  await desk.advance(500);
  expect(desk.sockets).toHaveLength(2);
  // Later frames of the old connection are ignored.
  stale.tell('close', { code: 4001, reason: 'late' });
  desk.send(7);
  expect(desk.stream.position).not.toBe('id 7');
});

it.for([1003, 1008, 1009, 4001, 4009])(
  'The close code %i ends the stream with an error',
  async (code) => {
    const desk = platform();
    const next = desk.stream.next();
    await desk.settle();
    desk.send(1);
    desk.end(code);
    expect((await next).value?.seq).toBe(1);
    await expect(desk.stream.next()).rejects.toThrow(StreamEndedError);
    await desk.advance(100_000);
    expect(desk.sockets).toHaveLength(1);
  },
);

it('A failing credential request is repeated', async () => {
  let isDown = true;
  const desk = platform({
    credential: () =>
      isDown ? Promise.reject(new Error('down')) : Promise.resolve({ key: 'a key' }),
  });
  void desk.stream.next();
  await desk.settle();
  expect(desk.sockets).toHaveLength(0);
  isDown = false;
  await desk.advance(500);
  expect(parametersOf(desk.last())).toEqual({ key: 'a key' });
});

it('The client reports the reason and duration of each wait', async () => {
  const told: [string, number][] = [];
  const desk = platform({ onTrouble: (reason, waitMs) => void told.push([reason, waitMs]) });
  void desk.stream.next();
  await desk.settle();
  desk.end(1011);
  await desk.advance(375);
  await desk.advance(90_000);
  expect(told).toEqual([
    ['the connection ended with code 1011: because', 375],
    ['no data for 90 seconds', 750],
  ]);
});

it('The stream ends if no connection can be opened at all', async () => {
  const desk = platform({
    open: () => {
      throw new TypeError('no such thing here');
    },
  });
  await expect(desk.stream.next()).rejects.toThrow('no such thing here');
});

it('Unread events do not accumulate: they are fetched when there is room again', async () => {
  const desk = platform();
  const first = desk.stream.next();
  await desk.settle();
  for (let seq = 1; seq <= 10_000; seq += 1) desk.send(seq);
  const full = desk.last();
  expect((await first).value?.seq).toBe(1);
  for (let seq = 10_001; seq <= 10_002; seq += 1) desk.send(seq);
  expect(full.isClosed).toBe(true);
  for (let seq = 2; seq <= 10_000; seq += 1) {
    expect((await desk.stream.next()).value?.seq).toBe(seq);
  }
  await desk.settle();
  expect(desk.sockets).toHaveLength(2);
  expect(parametersOf(desk.last())).toMatchObject({ after: 'id 10000' });
});

it('The stream can be iterated, and ended by break or close', async () => {
  const desk = platform({ after: 'id 4' });
  const seen: (number | null)[] = [];
  const reading = (async () => {
    for await (const { seq } of desk.stream) {
      seen.push(seq);
      if (seq === 6) break;
    }
  })();
  await desk.settle();
  expect(parametersOf(desk.last())).toMatchObject({ after: 'id 4' });
  for (const seq of [5, 6, 7]) desk.send(seq);
  await reading;
  expect(seen).toEqual([5, 6]);
  expect(desk.last().isClosed).toBe(true);
  expect(await desk.stream.next()).toEqual({ done: true, value: undefined });

  const idle = platform();
  const waiting = idle.stream.next();
  await idle.settle();
  idle.stream.close();
  expect(await waiting).toEqual({ done: true, value: undefined });
  await idle.advance(100_000);
  expect(idle.sockets).toHaveLength(1);
});

it('Frames that are not events are ignored', async () => {
  const desk = platform();
  const next = desk.stream.next();
  await desk.settle();
  for (const data of ['no JSON', '5', '{}', new ArrayBuffer(2), '{"id":1}']) {
    desk.last().tell('message', { data });
  }
  desk.send(1);
  expect((await next).value?.seq).toBe(1);
});

it.for<[string, string]>([
  ['https://ledger.example.com/ledger', 'wss://ledger.example.com/ledger/ws/v1/stream'],
  ['https://ledger.example.com/a/b/', 'wss://ledger.example.com/a/b/ws/v1/stream'],
  ['HTTPS://ledger.example.com', 'wss://ledger.example.com/ws/v1/stream'],
  ['http://127.0.0.1:8080', 'ws://127.0.0.1:8080/ws/v1/stream'],
  ['wss://ledger.example.com', 'wss://ledger.example.com/ws/v1/stream'],
])('The stream of %s is at %s', async ([url, address]) => {
  const desk = platform({ url });
  void desk.stream.next();
  await desk.settle();
  expect(desk.last().url.origin + desk.last().url.pathname).toBe(address);
});

it('Concurrent calls of next get the events in order, and then the end', async () => {
  const desk = platform();
  const asked = Array.from({ length: 4 }, () => desk.stream.next());
  await desk.settle();
  desk.send(1);
  const late = desk.stream.next();
  desk.send(2);
  desk.send(3);
  const given = await Promise.all(asked.slice(0, 3));
  expect(given.map(({ value }) => value?.seq)).toEqual([1, 2, 3]);
  desk.stream.close();
  const over = { done: true, value: undefined };
  expect(await Promise.all([asked[3], late])).toEqual([over, over]);
});
