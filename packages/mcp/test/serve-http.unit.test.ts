import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { httpAccess } from '@decision-ledger/mcp/server/http-access';
import { Protocol } from '@decision-ledger/mcp/server/protocol';
import { HTTP_LIMITS, type HttpLimits, serveHttp } from '@decision-ledger/mcp/server/serve-http';
import { textContent } from '@decision-ledger/mcp/server/tool';
import { expect, it } from 'vitest';

const CALL = JSON.stringify({ id: 1, method: 'tools/call', params: { name: 'wait' } });
const HEAD = `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${CALL.length}\r\n\r\n`;

/** A server whose only tool waits until it is released, or its client is gone. */
async function serve(limits: Partial<HttpLimits>) {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const calls: AbortSignal[] = [];
  const tool = {
    name: 'wait',
    description: '',
    inputSchema: {},
    annotations: { readOnlyHint: true, openWorldHint: false },
    async run(_input: unknown, signal: AbortSignal) {
      calls.push(signal);
      await Promise.race([released, once(signal, 'abort')]);
      return [textContent('waited')];
    },
  };
  const endpoint = await serveHttp({
    host: '127.0.0.1',
    port: 0,
    access: httpAccess({ host: '127.0.0.1', token: null, allowedHosts: [], allowedOrigins: [] }),
    limits: { ...HTTP_LIMITS, ...limits },
    openProtocol: () =>
      new Protocol({ info: { name: 't', version: '1' }, tools: [tool], explain: String }),
  });
  const open = () => connect(endpoint.port, '127.0.0.1');
  return { endpoint, calls, release: () => release(), open };
}

/** Everything that comes until the connection ends. */
async function read(socket: Socket): Promise<string> {
  let seen = '';
  socket.setEncoding('utf8').on('data', (part) => {
    seen += part;
  });
  socket.on('error', () => undefined);
  await once(socket, 'close');
  return seen;
}

it.each([
  ['no headers', 'POST /mcp'],
  ['no body', HEAD],
  ['half a body', HEAD + CALL.slice(0, 10)],
])('A request with %s is ended by the limit of time', async (_name, sent) => {
  const { endpoint, calls, open } = await serve({ headersMs: 100, requestMs: 100 });
  const socket = open();
  socket.write(sent);
  expect(await read(socket)).toContain('408 Request Timeout');
  expect(calls).toEqual([]);
  await endpoint.stop();
});

it('A request without a host is refused', async () => {
  const { endpoint, calls, open } = await serve({});
  const socket = open();
  socket.write(`${HEAD.replace('1.1', '1.0').replace('Host: localhost\r\n', '')}${CALL}`);
  expect(await read(socket)).toContain('403 Forbidden');
  expect(calls).toEqual([]);
  await endpoint.stop();
});

it('A connection that says nothing is ended', async () => {
  const { endpoint, open } = await serve({ silenceMs: 50 });
  expect(await read(open())).toBe('');
  await endpoint.stop();
});

it('A client that is gone cancels its call', async () => {
  const { endpoint, calls, open } = await serve({});
  const socket = open();
  socket.write(HEAD + CALL);
  await expect.poll(() => calls.length).toBe(1);
  socket.destroy();
  await expect.poll(() => calls[0]?.aborted).toBe(true);
  await endpoint.stop();
});

it('Requests above the limit are refused until one has ended', async () => {
  const { endpoint, calls, release, open } = await serve({ requests: 1 });
  const last = HEAD.replace('Host', 'Connection: close\r\nHost') + CALL;
  const first = open();
  first.write(last);
  await expect.poll(() => calls.length).toBe(1);
  const second = open();
  second.write(last);
  expect(await read(second)).toMatch(/^HTTP\/1.1 503 .*Retry-After: 1/s);
  release();
  expect(await read(first)).toContain('waited');
  const third = open();
  third.write(last);
  expect(await read(third)).toContain('waited');
  await endpoint.stop();
});

it('A stop waits for calls in progress, up to a limit', async () => {
  const patient = await serve({});
  const socket = patient.open();
  socket.write(HEAD + CALL);
  await expect.poll(() => patient.calls.length).toBe(1);
  const stopped = patient.endpoint.stop();
  patient.release();
  expect(await read(socket)).toContain('waited');
  await stopped;

  const hurried = await serve({ drainMs: 20 });
  const left = hurried.open();
  left.write(HEAD + CALL);
  await expect.poll(() => hurried.calls.length).toBe(1);
  await Promise.all([hurried.endpoint.stop(), read(left)]);
  expect(hurried.calls[0]?.aborted).toBe(true);
});
