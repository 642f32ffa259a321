import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openTestService, type TestService } from '../../support/service.js';
import { listen } from '../../support/stream.js';

let bed: TestService;
let port: number;
let sockets: Socket[] = [];

beforeAll(async () => {
  bed = await openTestService('embedded');
  port = Number(new URL(await listen(bed.http)).port);
});
afterAll(() => bed.close());
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
});

const lines = (...all: string[]) => `${all.join('\r\n')}\r\n\r\n`;
const PLAIN = lines('GET /healthz HTTP/1.1', 'Host: x');
const HANDSHAKE = lines(
  'GET /ws/v1/stream HTTP/1.1',
  ...['Host: x', 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'],
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
);
const OTHER_UPGRADE = lines(
  'GET /healthz HTTP/1.1',
  ...['Host: x', 'Connection: Upgrade', 'Upgrade: h2c'],
);

/** A caller that keeps its side open, whatever it receives. */
async function say(text: string, target = port): Promise<{ socket: Socket; heard: () => string }> {
  const socket = connect({ port: target, host: '127.0.0.1', allowHalfOpen: true });
  sockets.push(socket);
  let heard = '';
  socket.on('data', (chunk) => {
    heard += chunk.toString('latin1');
  });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(text);
  return { socket, heard: () => heard };
}

const openConnections = () =>
  new Promise<number>((resolve, reject) =>
    bed.http.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );

const allGone = () => expect.poll(openConnections).toBe(0);

describe('Pipelined upgrades', () => {
  it.for([
    ['to the stream', HANDSHAKE],
    ['to something else', OTHER_UPGRADE],
    ['to something else followed by more', OTHER_UPGRADE + PLAIN + PLAIN],
  ])('A pipelined upgrade %s ends only its own connection', async ([, wish = '']) => {
    const other = await say(PLAIN);
    await expect.poll(other.heard).toContain('200 OK');
    await say(PLAIN + wish);
    await expect.poll(openConnections).toBe(1);
    other.socket.write(PLAIN);
    await expect.poll(() => other.heard().match(/200 OK/g)?.length).toBe(2);
    other.socket.destroy();
    await allGone();
  });

  it('An upgrade after an answered request is handled', async () => {
    const { socket, heard } = await say(PLAIN);
    await expect.poll(heard).toContain('200 OK');
    socket.write(OTHER_UPGRADE);
    await expect.poll(() => heard().match(/200 OK/g)?.length).toBe(2);
    socket.write(HANDSHAKE);
    await expect.poll(heard).toContain('401 Unauthorized');
    await allGone();
  });
});

describe('Refused connections', () => {
  it.for([
    ['a handshake', HANDSHAKE, ''],
    ['a handshake followed by more', HANDSHAKE, 'x'],
    ['malformed HTTP', 'nonsense\r\n\r\n', ''],
    ['a truncated head', OTHER_UPGRADE.replace('Host: x', 'a:\r\n'.repeat(1100)), ''],
  ])('A connection refused for %s is closed', async ([, first = '', later = '']) => {
    const { socket } = await say(first);
    if (later !== '') socket.end(later);
    await allGone();
  });

  it('A stopping service closes refused connections too', async () => {
    const stopping = await bed.another();
    const address = await listen(stopping.http);
    const { heard } = await say(HANDSHAKE, Number(new URL(address).port));
    await expect.poll(heard).toContain('401');
    const started = performance.now();
    await stopping.http.close();
    // It did not wait until connections that are in use are cut.
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});
