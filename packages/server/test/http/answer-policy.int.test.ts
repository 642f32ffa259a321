import { STREAM_PATH } from '@decision-ledger/contract/stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, errorOf } from '../support/client.js';
import { openTestService, type TestService } from '../support/service.js';
import { describedRequests } from './support/described-requests.js';
import { answerOf, exchange, openRaw } from './support/raw.js';
import { type RecordedTenant, recordedTenant } from './support/tenants.js';

/** All that caches may keep, by operation. Whoever adds one names it here. */
const PUBLIC: Readonly<Record<string, string>> = {
  getPublicCheckpoint: 'public, max-age=5',
  getPublicTile: 'public, max-age=31536000, immutable',
};

let bed: TestService;
let tenant: RecordedTenant;
let port: number;

beforeAll(async () => {
  bed = await openTestService('embedded', { settings: { LEDGER_REQUEST_SECONDS: '4' } });
  bed.clock.advance(Date.now() - bed.clock.now());
  port = Number(new URL(await bed.http.listen({ host: '127.0.0.1', port: 0 })).port);
  tenant = await recordedTenant(bed);
});
afterAll(() => bed.close());

const head = (line: string, ...headers: string[]) =>
  `${[line, 'Host: a', ...headers].join('\r\n')}\r\n\r\n`;

function expectPrivate(answer: Answer, place: string): void {
  expect(answer.header('cache-control'), place).toBe('private, no-store');
  const vary = (answer.header('vary') ?? '').split(', ');
  expect(vary, place).toEqual(expect.arrayContaining(['Accept', 'Authorization', 'X-Ledger-Key']));
  expectNamed(answer, place);
}

function expectNamed(answer: Answer, place: string): void {
  expect(answer.header('x-content-type-options'), place).toBe('nosniff');
  expect(answer.header('x-request-id'), place).toMatch(/^req_[0-9a-z]{26}$/);
}

describe('Every answer carries the policy', () => {
  it('Every operation is private to every caller, unless it is public by name and succeeds', async () => {
    const [statuses, published] = [new Set<number>(), new Set<string>()];
    for (const { operation, method, path } of await describedRequests(bed.http, tenant.values)) {
      for (const key of [`X-Ledger-Key: ${tenant.client.key}`, 'X-Ledger-Key: no key', 'X: none']) {
        const headers = [key, 'Content-Length: 0', 'Connection: close'];
        const answer = await exchange(port, head(`${method} ${path} HTTP/1.1`, ...headers));
        const place = `${method} ${path} ${key}`;
        statuses.add(answer.status);
        const caching = answer.status === 200 ? PUBLIC[operation] : undefined;
        if (caching === undefined) expectPrivate(answer, place);
        else {
          expect(answer.header('cache-control'), place).toBe(caching);
          published.add(operation);
        }
        expectNamed(answer, place);
      }
    }
    expect([...published].sort()).toEqual(Object.keys(PUBLIC));
    expect([...statuses].sort()).toEqual(expect.arrayContaining([200, 201, 400, 401, 404, 422]));
  });

  const key = () => `X-Ledger-Key: ${tenant.client.key}`;
  const json = 'Content-Type: application/json';
  const handshake = ['Upgrade: websocket', 'Connection: Upgrade'];
  const webSocket = ['Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='];

  it.for<[string, number, () => string]>([
    ['an unknown path', 404, () => head('GET /nowhere HTTP/1.1', 'Connection: close')],
    ['an unknown method', 400, () => head('BREW / HTTP/1.1')],
    ['a wrong method', 405, () => head('PUT /api/v1/decisions HTTP/1.1', 'Connection: close')],
    ['OPTIONS', 405, () => head('OPTIONS /api/v1/decisions HTTP/1.1', 'Connection: close')],
    ['OPTIONS of the server', 404, () => head('OPTIONS * HTTP/1.1', 'Connection: close')],
    ['CONNECT', 405, () => head('CONNECT a:443 HTTP/1.1')],
    ['bytes that are not HTTP', 400, () => 'nonsense\r\n\r\n'],
    ['a head that is too large', 400, () => head(`GET / HTTP/1.1`, `X: ${'x'.repeat(20_000)}`)],
    ['no Host', 400, () => 'GET / HTTP/1.1\r\n\r\n'],
    ['HTTP/1.0', 200, () => 'GET /healthz HTTP/1.0\r\n\r\n'],
    ['a bad address', 400, () => head('GET /%zz HTTP/1.1', 'Connection: close')],
    [
      'an id that is too long',
      404,
      () => head(`GET /${'a/'.repeat(2000)} HTTP/1.1`, 'Connection: close'),
    ],
    [
      'an expectation',
      417,
      () => head('GET /healthz HTTP/1.1', 'Expect: tea', 'Connection: close'),
    ],
    ['a request that stalls', 408, () => 'GET /healthz HTT'],
    [
      'a body that stalls',
      408,
      () => head('POST /api/v1/decisions HTTP/1.1', key(), json, 'Content-Length: 5'),
    ],
    [
      'a body that is too large',
      413,
      () => head('POST /api/v1/decisions HTTP/1.1', key(), json, 'Content-Length: 99999999'),
    ],
    [
      'a body that is no JSON',
      400,
      () =>
        `${head(
          'POST /api/v1/decisions HTTP/1.1',
          key(),
          json,
          'Content-Length: 1',
          'Connection: close',
        )}{`,
    ],
    [
      'a handshake without a key',
      401,
      () => head(`GET ${STREAM_PATH} HTTP/1.1`, ...handshake, ...webSocket),
    ],
    [
      'a handshake of version 1',
      400,
      () => head(`GET ${STREAM_PATH} HTTP/1.1`, ...handshake, key()),
    ],
  ])('The answer to %s', async ([place, status, bytes]) => {
    const answer = await exchange(port, bytes());
    expect(answer.status, answer.text).toBe(status);
    expectPrivate(answer, place);
    if (status !== 200) errorOf(answer);
  });

  it('A WebSocket that is opened', async () => {
    const bytes = head(`GET ${STREAM_PATH} HTTP/1.1`, ...handshake, ...webSocket, key());
    const { socket, ended } = openRaw(port, bytes);
    socket.once('data', () => socket.end());
    const answer = answerOf(await ended);
    expect(answer.status, answer.text).toBe(101);
    expectPrivate(answer, 'a WebSocket');
  });

  it('Failures of OTLP and of webhooks', async () => {
    for (const path of ['/v1/traces', '/api/v1/financial-events/webhook/stripe']) {
      const line = `POST ${path} HTTP/1.1`;
      for (const own of [key(), 'X: none']) {
        const answer = await exchange(
          port,
          `${head(line, own, json, 'Content-Length: 1', 'Connection: close')}{`,
        );
        expect(answer.status).toBeGreaterThanOrEqual(400);
        expectPrivate(answer, path);
      }
    }
  });
});

describe('Files for browsers', () => {
  const get = async (path: string, ...headers: string[]) =>
    exchange(port, head(`GET ${path} HTTP/1.1`, 'Connection: close', ...headers));

  it('Files with a hash in their name are kept for good, pages are asked for again', async () => {
    const page = await get('/', 'Accept: text/html');
    expect(page.status).toBe(200);
    expectPrivate(page, '/');
    const docs = await get('/docs/');
    const assets = [
      /src="\.?(\/assets\/[^"]+\.js)"/.exec(page.text)?.[1] ?? '',
      `/docs/${/src="(assets\/[^"]+\.js)"/.exec(docs.text)?.[1]}`,
    ];
    for (const path of assets) {
      const answer = await get(path);
      expect(answer.status, path).toBe(200);
      expect(answer.header('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(answer.header('vary')).toBe('Accept-Encoding');
      expectNamed(answer, path);
      expectPrivate(await get(`${path}x`), path);
    }
    const again = await get('/docs/', `If-None-Match: ${docs.header('etag')}`);
    expect([docs.status, again.status]).toEqual([200, 304]);
    for (const answer of [docs, again, await get('/verify.html')]) {
      expect(answer.header('cache-control')).toBe('public, no-cache');
      expect(answer.header('vary')).toBe('Accept-Encoding');
      expectNamed(answer, 'a page');
    }
  });
});
