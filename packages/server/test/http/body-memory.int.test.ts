import { gzipSync } from 'node:zlib';
import { Settings } from '@decision-ledger/contract/settings';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Client, dataOf, decision, expectRefusal, request } from '../support/client.js';
import { type Organisation, openTestService, type TestService } from '../support/service.js';
import { answerOf, exchange, openRaw, type RawConnection } from './support/raw.js';

const MIB = 1024 * 1024;
const JSON_TYPE = 'Content-Type: application/json';

let bed: TestService;
let org: Organisation;
let port: number;
let open: RawConnection[] = [];

beforeAll(async () => {
  const settings = { LEDGER_REQUEST_SECONDS: '4', LEDGER_BODY_MEMORY_MIB: '32' };
  bed = await openTestService('embedded', { settings: { ...settings, LEDGER_CONNECTIONS: '40' } });
  org = await bed.organisation();
  port = Number(new URL(await bed.http.listen({ host: '127.0.0.1', port: 0 })).port);
});
afterEach(async () => {
  for (const { socket } of open) socket.destroy();
  await Promise.all(open.map(({ ended }) => ended));
  open = [];
});
afterAll(() => bed.close());

const head = (path: string, ...headers: string[]) =>
  `${[`POST /api/v1${path} HTTP/1.1`, 'Host: a', JSON_TYPE, ...headers].join('\r\n')}\r\n\r\n`;

const stall = (bytes: string) => {
  const connection = openRaw(port, bytes);
  open.push(connection);
  return connection;
};

const batchOf = (key: string, length: number, ...more: string[]) =>
  head('/decisions/batch', `X-Ledger-Key: ${key}`, `Content-Length: ${length}`, ...more);

/** Announces a batch of maximum size and sends one byte of it; the head has been read by then. */
async function stallBatch({ key }: Client): Promise<RawConnection> {
  const connection = stall(batchOf(key, 8 * MIB, 'Expect: 100-continue'));
  await new Promise((resolve) => connection.socket.once('data', resolve));
  connection.socket.write('{');
  return connection;
}

const record = (client: Client) => client.post('/decisions', decision());

/** Waits until the announced body counts, or no longer counts. */
const until = (client: Client, status: number) =>
  expect.poll(async () => (await record(client)).status).toBe(status);

describe('Late requests', () => {
  it('A body that does not arrive in time is answered with 408, closed, and no longer counted', async () => {
    const { ended } = await stallBatch(org.live);
    await until(org.live, 503);
    const [, answer = ''] = (await ended).split('100 Continue\r\n\r\n');
    expectRefusal(answerOf(answer), 'request_timeout');
    await until(org.live, 201);
  });

  it('A head that does not arrive is answered with 408 after a quarter of the time', async () => {
    const order: string[] = [];
    const body = await stallBatch(org.live);
    const silent = [stall(''), stall('GET /healthz HTTP/1.1\r\nHos')];
    await Promise.all([
      body.ended.then(() => order.push('body')),
      ...silent.map(async ({ ended }) => {
        expectRefusal(answerOf(await ended), 'request_timeout');
        order.push('head');
      }),
    ]);
    expect(order).toEqual(['head', 'head', 'body']);
  });

  it('A request that was already refused is not answered again when it times out', async () => {
    const { ended } = stall(`${batchOf('no key', 8 * MIB)}{"decisions":[`);
    const text = await ended;
    expectRefusal(answerOf(text), 'unauthorized');
    expect(text.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });
});

describe('Memory for bodies', () => {
  it('One key cannot use up the memory for bodies: other keys still write', async () => {
    const stalled = await stallBatch(org.live);
    await until(org.live, 503);
    const refused = await record(org.live);
    expectRefusal(refused, 'unavailable');
    expect(refused.header('retry-after')).toBe('1');
    expect(refused.text).toContain('request bodies of this key already use the maximum of 8 MiB');
    expect((await record(org.test)).status).toBe(201);
    expect((await org.live.get('/decisions')).status).toBe(200);
    stalled.socket.destroy();
    await until(org.live, 201);
  });

  it('One organisation cannot use up the memory for bodies, however many keys it has', async () => {
    const keys = [org.live, org.test];
    for (const client of keys) {
      await stallBatch(client);
      await until(client, 503);
    }
    const body = { name: 'third', permissions: ['ingest'] };
    const refused = await org.live.post('/keys', body);
    expectRefusal(refused, 'unavailable');
    const other = await bed.organisation();
    expect((await record(other.live)).status).toBe(201);
  });

  it('Chunked bodies count as they arrive', async () => {
    const chunk = 'x'.repeat(64 * 1024);
    const bytes = `${chunk.length.toString(16)}\r\n${chunk}\r\n`.repeat(120);
    const more = [`X-Ledger-Key: ${org.live.key}`, CHUNKED, 'Expect: 100-continue'];
    const { socket } = stall(head('/decisions/batch', ...more));
    await new Promise((resolve) => socket.once('data', resolve));
    expect((await record(org.live)).status).toBe(201);
    await new Promise((resolve) => socket.write(bytes, resolve));
    const padded = JSON.stringify(decision()).padEnd(MIB, ' ');
    const sendPadded = async () => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      return (await org.live.post('/decisions', padded)).status;
    };
    await expect.poll(sendPadded).toBe(503);
    expect((await record(org.test)).status).toBe(201);
  });

  it('Bodies count with their parsed size, and a single body always fits', async () => {
    const objects = `[${'{},'.repeat(80_000)}{}]`;
    const heavy = JSON.stringify(decision({ inputs: { list: 0 } })).replace('0}', `${objects}}`);
    expect(heavy.length).toBeLessThan(MIB / 3);
    const alone = async () => (await org.live.post('/decisions', heavy)).status;
    await expect.poll(alone).toBe(201);
    const answers = await Promise.all([1, 2, 3].map(() => org.live.post('/decisions', heavy)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses).toContain(201);
    expect(statuses).toContain(503);
    expect(await alone()).toBe(201);
  });

  it('A body above the limit of its path is refused for that, whatever memory is free', async () => {
    const key = `X-Ledger-Key: ${org.live.key}`;
    const tooLong = head('/decisions', key, `Content-Length: ${MIB + 1}`);
    const answer = await exchange(
      port,
      tooLong.replace(JSON_TYPE, `${JSON_TYPE}\r\nConnection: close`),
    );
    expectRefusal(answer, 'payload_too_large');
  });

  it('A body with more values than any may have is refused for that, whatever memory is free', async () => {
    await org.live.patch('/settings', { otlp: { preset: 'gen_ai_1.45' } });
    const line = batchOf(org.live.key, MIB, 'Expect: 100-continue');
    const { socket } = stall(line);
    await new Promise((resolve) => socket.once('data', resolve));
    const objects = (count: number) => `[${'{},'.repeat(count)}{}]`;
    const batch = `{"decisions":${objects(1_100_000)}}`;
    expectRefusal(await org.live.post('/decisions/batch', batch), 'payload_too_large');
    const spans = gzipSync(`{"resourceSpans":${objects(2_050_000)}}`, { level: 9 });
    expect(spans.length).toBeLessThan(10_000);
    const headers = { 'x-ledger-key': org.live.key, 'content-type': 'application/json' };
    const packed = { ...headers, 'content-encoding': 'gzip' };
    expect((await request(bed.http, 'POST', '/v1/traces', packed, spans)).status).toBe(413);
  });

  it('Refusals for want of memory get a line now and then, and no stack', async () => {
    const stalled = await stallBatch(org.test);
    await until(org.test, 503);
    const from = bed.logLines.length;
    for (let n = 0; n < 50; n += 1) expect((await record(org.test)).status).toBe(503);
    stalled.socket.destroy();
    const lines = bed.logLines.slice(from).filter((line) => line.includes('already use'));
    expect(lines.length).toBeLessThan(5);
    expect(bed.logLines.slice(from).join('')).not.toContain('    at ');
  });

  it('Callers that disconnect free the memory of their bodies', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { socket } = stall(`${batchOf(org.live.key, 8 * MIB)}{"decisions":[`);
      await new Promise((resolve) => socket.once('connect', resolve));
      socket.destroy();
    }
    await until(org.live, 201);
  });
});

const CHUNKED = 'Transfer-Encoding: chunked';

it('A body in one-byte chunks is read whole', async () => {
  const body = JSON.stringify(decision({ inputs: { text: 'x'.repeat(3000) } }));
  const pieces = [...body].map((letter) => `1\r\n${letter}\r\n`).join('');
  const line = head('/decisions', `X-Ledger-Key: ${org.live.key}`, CHUNKED, 'Connection: close');
  expect((await exchange(port, `${line}${pieces}0\r\n\r\n`)).status).toBe(201);
});

describe('Connections without a key', () => {
  it('New connections replace the oldest connections without a key, and nobody is shut out', async () => {
    const known = openRaw(port);
    const get = `GET /api/v1/settings HTTP/1.1\r\nHost: a\r\nX-Ledger-Key: ${org.live.key}\r\n\r\n`;
    known.socket.write(get);
    const first = await new Promise<string>((resolve) =>
      known.socket.once('data', (data) => resolve(data.toString())),
    );
    expect(first).toContain('200 OK');
    for (let n = 0; n < 60; n += 1) stall('GET / HTTP/1.1\r\n');
    const health = 'GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
    expect((await exchange(port, health)).status).toBe(200);
    known.socket.write(get.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
    expect(await known.ended).toContain('"data"');
    expect(dataOf(await org.live.get('/settings'), Settings)).toBeDefined();
  });
});
