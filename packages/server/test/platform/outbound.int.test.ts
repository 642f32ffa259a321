import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { readAllowedAddresses } from '#server/platform/allowed-addresses';
import { createOutbound, OutboundError, type OutboundRequest } from '#server/platform/outbound';

const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(portOf(server.address())));
  });
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('there is no port');
  return address.port;
}

/** @returns the URL of a server that is closed after the test */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  const port = await listen(server);
  closing.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${port}`;
}

/** @returns the URL of a server that answers each connection with these bytes and closes it */
async function serveBytes(bytes: string): Promise<string> {
  const server = createTcpServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(bytes));
  });
  const port = await listen(server);
  closing.push(() => new Promise((resolve) => server.close(resolve)));
  return `http://127.0.0.1:${port}`;
}

const NONE = readAllowedAddresses(undefined);
const ALL = readAllowedAddresses('true');
const outbound = createOutbound(ALL);
const careful = createOutbound(NONE);

const get = (url: string, more: Partial<OutboundRequest> = {}) =>
  outbound({ method: 'GET', url, ...more });

async function errorOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(OutboundError);
  return error instanceof OutboundError ? error.message : '';
}

describe('Outbound requests', () => {
  it('A request sends the method, path, query, headers and body', async () => {
    const seen: unknown[] = [];
    const url = await serve((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method, headers } = request;
        seen.push({ method, url: request.url, headers, body: Buffer.concat(chunks).toString() });
        response.writeHead(201, { 'X-Answer': 'yes', 'Set-Cookie': ['a=1', 'b=2'] });
        response.end('{"né":1}');
      });
    });
    const answer = await outbound({
      method: 'POST',
      url: `${url}/a/b?c=d%20e`,
      headers: { 'content-type': 'application/json', authorization: 'Bearer x' },
      body: '{"ü":1}',
    });
    expect(answer).toMatchObject({ status: 201, body: '{"né":1}' });
    expect(answer.headers).toMatchObject({ 'x-answer': 'yes', 'set-cookie': 'a=1, b=2' });
    expect(seen).toMatchObject([
      {
        method: 'POST',
        url: '/a/b?c=d%20e',
        headers: { authorization: 'Bearer x', 'content-length': '8', connection: 'close' },
        body: '{"ü":1}',
      },
    ]);
  });

  it('A redirect is returned and not followed', async () => {
    let calls = 0;
    const url = await serve((_request, response) => {
      calls += 1;
      response.writeHead(307, { location: '/elsewhere' }).end('moved');
    });
    const answer = await get(url);
    expect(answer).toMatchObject({ status: 307, body: 'moved' });
    expect(answer.headers.location).toBe('/elsewhere');
    expect(calls).toBe(1);
  });

  it('A body that ends with the connection is read whole', async () => {
    const body = 'x'.repeat(300_000);
    const url = await serveBytes(`HTTP/1.0 200 OK\r\n\r\n${body}`);
    expect((await get(url)).body).toBe(body);
  });

  it('Each request opens a new connection', async () => {
    const ports = new Set<number | undefined>();
    const url = await serve((request, response) => {
      ports.add(request.socket.remotePort);
      response.end('x');
    });
    for (let call = 0; call < 3; call += 1) await get(url);
    expect(ports.size).toBe(3);
  });

  it.for([
    ['with a Content-Length', { 'content-length': '11' }],
    ['without a Content-Length', {}],
  ] as const)('An answer %s is refused if it is one byte too long', async ([, headers]) => {
    const url = await serve((_request, response) => {
      response.writeHead(200, headers).end('12345678901');
    });
    expect((await get(url, { maxBytes: 11 })).body).toBe('12345678901');
    expect(await errorOf(get(url, { maxBytes: 10 }))).toMatch(
      /^127\.0\.0\.1:\d+ answered with more than 10 bytes$/,
    );
  });

  it('An endless answer is cut off', async () => {
    let closed = false;
    const url = await serve((_request, response) => {
      const more = () => {
        while (!closed && response.write('x'.repeat(10_000)));
      };
      response.on('drain', more);
      response.on('close', () => {
        closed = true;
      });
      more();
    });
    expect(await errorOf(get(url, { maxBytes: 1_000_000 }))).toMatch(/more than 1000000 bytes/);
    await expect.poll(() => closed).toBe(true);
  });

  it.for([
    ['no answer', () => undefined],
    ['headers without a body', (_request, response) => void response.writeHead(200).flushHeaders()],
    [
      'a slow trickle of bytes',
      (_request, response) => {
        const timer = setInterval(() => response.write('x'), 10);
        response.on('close', () => clearInterval(timer));
      },
    ],
  ] satisfies [string, RequestListener][])('A request times out on %s', async ([, listener]) => {
    const url = await serve(listener);
    expect(await errorOf(get(url, { timeoutMs: 150 }))).toMatch(/did not answer within 150 ms$/);
  });

  it('A request times out if the name is never resolved', async () => {
    const never = createOutbound(NONE, () => new Promise(() => undefined));
    const call = never({
      ...{ method: 'GET', url: 'http://slow.example/' },
      timeoutMs: 100,
    });
    expect(await errorOf(call)).toBe('slow.example did not answer within 100 ms');
  });

  it.for([
    ['a closed connection', ''],
    ['an incomplete head', 'HTTP/1.1 200 OK\r\nContent-'],
    ['an incomplete body', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345'],
    ['bytes other than HTTP', 'SSH-2.0-OpenSSH secret-banner\r\n'],
    [
      'another protocol',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
    ],
  ] as const)('An error is reported for %s', async ([, bytes]) => {
    const message = await errorOf(get(await serveBytes(bytes)));
    expect(message).toMatch(/^127\.0\.0\.1:\d+ (cannot be reached|closed the connection early)/);
    expect(message).not.toContain('secret-banner');
  });

  it('An error is reported if nobody listens', async () => {
    const server = createTcpServer();
    const port = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    expect(await errorOf(get(`http://127.0.0.1:${port}`))).toBe(
      `127.0.0.1:${port} cannot be reached: the connection was refused (ECONNREFUSED)`,
    );
  });

  it('An error reveals neither query nor headers nor body', async () => {
    const url = await serveBytes('');
    const secret = 'hidden-word';
    const more = { headers: { 'x-key': secret }, body: secret };
    const message = await errorOf(get(`${url}/p?token=${secret}`, { method: 'POST', ...more }));
    expect(message).not.toContain(secret);
    const badHeader = { headers: { 'x-key': `${secret}\r\nx: y` } };
    expect(await errorOf(get(url, badHeader))).not.toContain(secret);
    expect(await errorOf(get(`no url ${secret}`))).not.toContain(secret);
  });

  it.for(['ftp://x.example/', 'file:///etc/passwd', 'http://user@x.example/', 'http://', 'x'])(
    'The URL %s is refused',
    async (url) => {
      expect(await errorOf(get(url))).toMatch(/URL/);
    },
  );
});

describe('Private addresses', () => {
  it.for([
    ...['http://127.0.0.1/', 'http://2130706433/', 'http://0x7f.1/', 'http://127.1/'],
    ...['http://0177.0.0.1/', 'http://0/', 'http://[::1]/', 'http://[::ffff:127.0.0.1]/'],
    ...['http://localhost/', 'http://169.254.169.254/latest/meta-data'],
    ...['http://[fd00:ec2::254]/', 'https://10.0.0.1/', 'http://[64:ff9b::10.0.0.1]/'],
    ...['http://１２７.0.0.1/', 'http://127。0。0。1/'],
  ])('The private address %s is refused', async (url) => {
    expect(await errorOf(careful({ method: 'GET', url }))).toMatch(
      /is in a private network: .*LEDGER_ALLOW_PRIVATE_ADDRESSES|of a cloud metadata service/,
    );
  });

  it('A name is refused if one of its addresses is private', async () => {
    const call = createOutbound(NONE, () =>
      Promise.resolve([
        { address: '93.184.215.14', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ]),
    );
    const request = { url: 'http://two.example/' };
    expect(await errorOf(call({ ...request, method: 'GET' }))).toMatch(/^two\.example is in a/);
  });

  it('A name that resolves differently the second time cannot reach a private address', async () => {
    const url = await serve((request, response) => response.end(request.headers.host));
    let asked = 0;
    const allowed = readAllowedAddresses('127.0.0.1');
    const call = createOutbound(allowed, () => {
      asked += 1;
      const address = asked === 1 ? '127.0.0.1' : '127.0.0.2';
      return Promise.resolve([{ address, family: 4 }]);
    });
    const { port } = new URL(url);
    const named = `http://rebound.example:${port}`;
    const answer = await call({ method: 'GET', url: `${named}/` });
    expect(answer.body).toBe(`rebound.example:${port}`);
    expect(asked).toBe(1);
    const refused = call({ method: 'GET', url: `${named}/` });
    expect(await errorOf(refused)).toMatch(/is in a private network/);
    expect(asked).toBe(2);
  });

  it('A name without an address is an error', async () => {
    const none = createOutbound(ALL, () => Promise.resolve([]));
    const request = { url: 'http://none.example/' };
    expect(await errorOf(none({ ...request, method: 'GET' }))).toBe('none.example has no address');
  });
});
