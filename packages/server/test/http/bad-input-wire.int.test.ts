import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { DecisionPage, DecisionReceipt } from '@decision-ledger/contract/decision';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dataOf, decision, expectRefusal, request } from '../support/client.js';
import {
  contents,
  type Organisation,
  openTestService,
  type TestService,
} from '../support/service.js';

let bed: TestService;
let org: Organisation;
let before: string;

const BODY = JSON.stringify(decision());
const BATCH = JSON.stringify({ decisions: [decision()] });
const MIB = 1024 * 1024;

beforeAll(async () => {
  bed = await openTestService('embedded');
  org = await bed.organisation();
});
beforeEach(async () => {
  before = await contents(bed);
});
afterAll(() => bed.close());

const unwritten = async () => expect(await contents(bed)).toBe(before);

describe.for([
  ['/decisions', BODY, MIB],
  ['/decisions/batch', BATCH, 8 * MIB],
] as const)('POST %s', ([path, body, most]) => {
  const post = (headers: Record<string, string>, payload: string | Buffer = body) =>
    request(
      bed.http,
      'POST',
      `/api/v1${path}`,
      { 'x-ledger-key': org.live.key, ...headers },
      payload,
    );

  it.for([
    ...['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'],
    ...['application/jsonp', 'application/vnd.api+json', 'text/json', 'json', '*/*', 'null', ';'],
    ...['application/json, text/plain', 'application /json'],
  ])('The Content-Type %s is refused with 415', async (type) => {
    expectRefusal(await post({ 'content-type': type }), 'unsupported_media_type');
    await unwritten();
  });

  it('A body without a Content-Type is refused with 415', async () => {
    expectRefusal(await post({}), 'unsupported_media_type');
    await unwritten();
  });

  it('A Content-Type is accepted with parameters and in any case', async () => {
    const answer = await post({ 'content-type': 'Application/JSON; charset=utf-8' });
    expect(answer.status).toBe(201);
  });

  it.for(['gzip', 'br', 'deflate', 'GZIP', 'identity, gzip'])(
    'The Content-Encoding %s is refused with 415',
    async (encoding) => {
      const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
      expectRefusal(await post(headers, gzipSync(body)), 'unsupported_media_type');
      expectRefusal(await post(headers), 'unsupported_media_type');
      await unwritten();
    },
  );

  it('A body at its limit is read, and one byte more is refused with 413', async () => {
    const json = { 'content-type': 'application/json' };
    const padded = (bytes: number) => body + ' '.repeat(bytes - body.length);
    expectRefusal(await post(json, padded(most + 1)), 'payload_too_large');
    await unwritten();
    expect((await post(json, padded(most))).status).toBe(201);
  });

  it('A request without a body is refused with 4xx', async () => {
    const key = { 'x-ledger-key': org.live.key };
    const bare = await request(bed.http, 'POST', `/api/v1${path}`, key);
    expectRefusal(bare, 'validation_error', 'body');
    const typed = { ...key, 'content-type': 'application/json' };
    const empty = await request(bed.http, 'POST', `/api/v1${path}`, typed);
    expectRefusal(empty, 'malformed_request');
    await unwritten();
  });
});

describe('Malformed HTTP', () => {
  let port: number;

  beforeAll(async () => {
    const address = new URL(await bed.http.listen({ host: '127.0.0.1', port: 0 }));
    port = Number(address.port);
  });

  /** Everything that the service sends before it closes the connection. */
  const exchange = (bytes: string | Buffer) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
      let received = '';
      socket.setTimeout(120_000, () => socket.destroy(new Error(`no end after: ${received}`)));
      socket.on('data', (chunk) => {
        received += chunk.toString('latin1');
      });
      socket.on('error', reject);
      socket.on('close', () => resolve(received));
    });

  const post = (headers: string[], body = '') =>
    [
      'POST /api/v1/decisions HTTP/1.1',
      `Host: 127.0.0.1:${port}`,
      `X-Ledger-Key: ${org.live.key}`,
      'Content-Type: application/json',
      ...headers,
      '',
      body,
    ].join('\r\n');

  const BROKEN: [name: string, bytes: () => string | Buffer][] = [
    ['noise', () => 'hello\r\n\r\n'],
    ['binary noise', () => Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0xff])],
    ['an unknown protocol version', () => 'GET / HTTP/9.9\r\n\r\n'],
    ['an unknown method', () => 'DECIDE / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a header without a colon', () => 'GET / HTTP/1.1\r\nHost: x\r\nbroken\r\n\r\n'],
    ['a header with a bad character', () => 'GET / HTTP/1.1\r\nHost: x\r\nA\u0001: b\r\n\r\n'],
    ['a space in the target', () => 'GET /api /v1 HTTP/1.1\r\nHost: x\r\n\r\n'],
    [
      'headers beyond 16 KiB',
      () => `GET / HTTP/1.1\r\nHost: x\r\nA: ${'x'.repeat(20_000)}\r\n\r\n`,
    ],
    ['two lengths that differ', () => post(['Content-Length: 5', 'Content-Length: 6'], 'hello')],
    ['a negative length', () => post(['Content-Length: -1'])],
    ['a length in letters', () => post(['Content-Length: ten'])],
    ['a broken chunk size', () => post(['Transfer-Encoding: chunked'], 'zz\r\n{}\r\n0\r\n\r\n')],
    [
      'a length beside chunks',
      () => post(['Content-Length: 2', 'Transfer-Encoding: chunked'], '2\r\n{}\r\n0\r\n\r\n'),
    ],
  ];

  it.for(BROKEN)('A request with %s gets a 400 envelope and writes nothing', async ([, bytes]) => {
    const answer = await exchange(bytes());
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(head).toMatch(/\r\nX-Request-ID: req_[0-9a-z]{26}(\r\n|$)/i);
    const shape = { code: 'malformed_request', message: expect.any(String) };
    expect(JSON.parse(body)).toEqual({ error: shape });
    expect(answer).not.toContain(org.live.key);
    await unwritten();
  });

  it('A request head that is too large is refused with the maximum size', async () => {
    const answer = await exchange(`GET / HTTP/1.1\r\nHost: x\r\nA: ${'x'.repeat(20_000)}\r\n\r\n`);
    const target = await exchange(`GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`);
    const message = 'the request line and headers are larger than 16 KiB together';
    for (const text of [answer, target]) expect(text).toContain(`"message":"${message}"`);
  });

  it('A body that ends before its declared length writes nothing', async () => {
    const socket = connect(port, '127.0.0.1');
    socket.end(post([`Content-Length: ${BODY.length}`], BODY.slice(0, -1)));
    await new Promise((resolve) => socket.on('close', resolve).resume());
    await unwritten();
  });

  it('A chunked body is put together', async () => {
    const half = Math.floor(BODY.length / 2);
    const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
    const chunks = `${chunk(BODY.slice(0, half))}${chunk(BODY.slice(half))}0\r\n\r\n`;
    const answer = await exchange(
      post(['Transfer-Encoding: chunked', 'Connection: close'], chunks),
    );
    expect(answer).toMatch(/^HTTP\/1\.1 201 Created\r\n/);
  });

  it('The service still works after malformed requests', async () => {
    dataOf(await org.live.post('/decisions', decision()), DecisionReceipt, 201);
    expect(dataOf(await org.live.get('/decisions'), DecisionPage).decisions[0]).toMatchObject(
      decision(),
    );
  });
});
