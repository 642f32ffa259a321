import { METHODS } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorOf, expectRefusal, request } from '../support/client.js';
import { type Organisation, openTestService, type TestService } from '../support/service.js';
import { exchange } from './support/raw.js';

let bed: TestService;
let org: Organisation;
let port: number;

beforeAll(async () => {
  bed = await openTestService('embedded');
  org = await bed.organisation();
  port = Number(new URL(await bed.http.listen({ host: '127.0.0.1', port: 0 })).port);
});
afterAll(() => bed.close());

const head = (line: string, ...headers: string[]) =>
  `${[line, ...headers, 'Connection: close'].join('\r\n')}\r\n\r\n`;

describe('Request heads', () => {
  it.for<[string, string[]]>([
    ['no Host', []],
    ['two Hosts', ['Host: a', 'Host: a']],
    ['a Host with a path', ['Host: a/b']],
    ['a Host with a name and password', ['Host: me:secret@a']],
  ])('A request with %s is refused', async ([, headers]) => {
    const answer = await exchange(port, head('GET /healthz HTTP/1.1', ...headers));
    expectRefusal(answer, 'malformed_request');
    expect(answer.header('connection')).toBe('close');
  });

  it.for(['Host: a:80', 'Host: [::1]:8080', 'Host: ledger.example.com', 'Host:'])(
    'A request with the header %s is accepted',
    async (host) => {
      expect((await exchange(port, head('GET /healthz HTTP/1.1', host))).status).toBe(200);
    },
  );

  it('A malformed head is refused before the key and the path are checked', async () => {
    expectRefusal(await exchange(port, head('GET /api/v1/keys HTTP/1.1')), 'malformed_request');
    expectRefusal(await exchange(port, head('GET /nowhere HTTP/1.1')), 'malformed_request');
  });

  it.for(['banana', '200-ok'])('The expectation %s is answered with 417', async (expectation) => {
    const bytes = head('GET /healthz HTTP/1.1', 'Host: a', `Expect: ${expectation}`);
    expectRefusal(await exchange(port, bytes), 'expectation_failed');
  });

  it('The expectation 100-continue is met', async () => {
    const line = 'POST /api/v1/nowhere HTTP/1.1';
    const bytes = head(line, 'Host: a', 'Expect: 100-continue', 'Content-Length: 2');
    const text = (await exchange(port, `${bytes}{}`)).text;
    expect(text).toContain('HTTP/1.1 404 Not Found');
  });
});

describe('Methods', () => {
  const others = METHODS.filter((method) => !['GET', 'HEAD', 'POST', 'CONNECT'].includes(method));

  it.for(others)('The method %s is answered with 405 and Allow', async (method) => {
    const answer = await exchange(port, head(`${method} /api/v1/decisions HTTP/1.1`, 'Host: a'));
    expectRefusal(answer, 'method_not_allowed');
    expect(answer.header('allow')).toBe('GET, HEAD, POST');
  });

  it('A wrong method gets 405 on paths with ids, with a query, encoded, and as absolute URLs', async () => {
    for (const path of [
      '/api/v1/links/lnk_1/confirm',
      '/api/v1/links/lnk_1/confirm?a=b',
      '/api/v1/%6Cinks/lnk_1/confirm',
      'http://ledger.example/api/v1/links/lnk_1/confirm',
    ]) {
      const answer = await exchange(port, head(`PUT ${path} HTTP/1.1`, 'Host: a'));
      expectRefusal(answer, 'method_not_allowed');
      expect(answer.header('allow')).toBe('POST');
    }
  });

  it('GET /decisions/batch gets 405 rather than being read as an id', async () => {
    const answer = await org.live.get('/decisions/batch');
    expectRefusal(answer, 'method_not_allowed');
    expect(answer.header('allow')).toBe('POST');
  });

  it('A method on an unknown path gets 404, and no body is read', async () => {
    for (const line of ['QUERY /nowhere', 'GET /api/v1/decision', 'OPTIONS *', 'GET //']) {
      const answer = await exchange(port, head(`${line} HTTP/1.1`, 'Host: a'));
      expectRefusal(answer, 'not_found');
    }
    const body = ['Host: a', 'Content-Type: application/json', 'Content-Length: 1000000'];
    expectRefusal(await exchange(port, head('POST /nowhere HTTP/1.1', ...body)), 'not_found');
  });

  it('CONNECT is answered with 405', async () => {
    const answer = await exchange(port, head('CONNECT example.com:443 HTTP/1.1', 'Host: a'));
    expectRefusal(answer, 'method_not_allowed');
    expect(answer.header('allow')).toBe('');
  });
});

describe('Other versions and protocols', () => {
  it('HTTP/1.0 is answered without a Host, and the connection closes', async () => {
    expect((await exchange(port, 'GET /healthz HTTP/1.0\r\n\r\n')).status).toBe(200);
  });

  it('An HTTP/2 preface is refused in HTTP/1.1', async () => {
    const preface = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
    expectRefusal(await exchange(port, preface), 'malformed_request');
  });

  it('An upgrade to an unknown protocol is ignored', async () => {
    const bytes =
      'GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, close\r\nUpgrade: gopher/2\r\n\r\n';
    expect((await exchange(port, bytes)).status).toBe(200);
  });

  it('An absolute URL is answered like its path', async () => {
    const line = 'GET http://ledger.example/healthz HTTP/1.1';
    expect((await exchange(port, head(line, 'Host: ledger.example'))).status).toBe(200);
  });
});

it('Malformed bytes after a request do not interrupt its answer', async () => {
  const good = 'GET /api/v1/openapi.json HTTP/1.1\r\nHost: a\r\n\r\n';
  const { text } = await exchange(port, `${good}nonsense\r\n\r\n`);
  const whole = await request(bed.http, 'GET', '/api/v1/openapi.json');
  const [first = ''] = text.split('HTTP/1.1 400');
  expect([whole.text, '']).toContain(first);
});

it('A request refused by the parser gets the envelope and an id', async () => {
  const answer = await exchange(port, head('BREW /healthz HTTP/1.1', 'Host: a'));
  expect(errorOf(answer).code).toBe('malformed_request');
});
