import { LedgerStream, StreamEndedError } from '@decision-ledger/client/stream';
import { IssuedKey } from '@decision-ledger/contract/access';
import { StreamTicket } from '@decision-ledger/contract/stream';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { type Client, dataOf, decision } from '../../support/client.js';
import { openTestService, type TestService } from '../../support/service.js';
import { listen } from '../../support/stream.js';

let bed: TestService;
let url: string;
let live: Client;
let sockets: WebSocket[];

beforeAll(async () => {
  bed = await openTestService('embedded');
  url = (await listen(bed.http)).replace(/^ws/, 'http');
});
afterAll(() => bed.close());
beforeEach(async () => {
  ({ live } = await bed.organisation());
  sockets = [];
});

/** Other test files keep the machine busy. */

const open = (target: string): WebSocket => {
  const socket = new WebSocket(target);
  sockets.push(socket);
  return socket;
};

const ticket = async () => ({
  ticket: dataOf(await live.post('/stream/tickets', ''), StreamTicket, 201).ticket,
});

/** Shortens the waits, which are not tested here. */
const timers = {
  after(ms: number, work: () => void) {
    const timer = setTimeout(work, ms / 20);
    return () => clearTimeout(timer);
  },
};

it('A client follows a ledger with tickets through broken connections, without gaps or repeats', async () => {
  const stream = new LedgerStream({ url, credential: ticket, open, timers });
  const TOTAL = 60;
  const seqs: (number | null)[] = [];
  const reading = (async () => {
    for await (const { seq } of stream) {
      seqs.push(seq);
      if (seqs.length % 10 === 5) sockets.at(-1)?.terminate();
      if (seqs.length === TOTAL) break;
    }
  })();
  await expect.poll(() => stream.position).toBeDefined();
  for (let n = 1; n <= TOTAL; n += 1) {
    await live.post('/decisions', decision());
    // Otherwise one connection may bring so many that fewer are broken.
    if (n % 10 === 0) await expect.poll(() => seqs.length).toBe(n);
  }
  await reading;
  expect(seqs).toEqual(Array.from({ length: TOTAL }, (_, n) => n + 1));
  expect(sockets.length).toBeGreaterThan(5);
});

it('A client continues where an earlier one stopped, even after only heartbeats', async () => {
  const earlier = new LedgerStream({ url, credential: ticket, open });
  const never = earlier.next();
  await expect.poll(() => earlier.position).toBeDefined();
  earlier.close();
  expect(await never).toEqual({ done: true, value: undefined });
  await live.post('/decisions', decision());
  const after = earlier.position ?? '';
  const later = new LedgerStream({ url, credential: ticket, open, after });
  expect((await later.next()).value).toMatchObject({ type: 'decision.recorded', seq: 1 });
  later.close();
});

it('A client ends with the code and reason of a service that ends it permanently', async () => {
  const issued = await live.post('/keys', { name: 'a key', permissions: ['stream'] });
  const { key, key_id } = dataOf(issued, IssuedKey, 201);
  const stream = new LedgerStream({ url, credential: () => Promise.resolve({ key }), open });
  const next = stream.next();
  await expect.poll(() => stream.position).toBeDefined();
  await live.delete(`/keys/${key_id}`);
  const error: unknown = await next.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(StreamEndedError);
  expect(error).toMatchObject({ code: 4001 });
  expect(sockets).toHaveLength(1);
});
