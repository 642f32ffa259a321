import { connect, createServer, type Server, type Socket } from 'node:net';

/** What the proxy does to a request. */
export type Fault = 'pass' | 'delay' | 'reset' | 'lose' | 'cut' | '429' | '503';

export interface FaultProxy {
  readonly url: string;
  /** How often each fault was applied. */
  readonly counts: Readonly<Record<Fault, number>>;
  /** Lets every later request pass. */
  heal(): void;
  close(): Promise<void>;
}

/** Of twenty requests, those that meet each fault. */
const MIX: readonly Fault[] = [
  ...Array<Fault>(9).fill('pass'),
  ...(['delay', 'delay', 'reset', 'reset', 'lose', 'lose', 'lose', 'cut', '429', '503'] as const),
  'cut',
];

/**
 * A TCP proxy in front of a service that breaks requests: it resets connections before and after the
 * service has the request, delays, cuts answers, and answers 429 and 503 itself.
 * @param random seeded: from 0 (inclusive) to 1 (exclusive)
 */
export async function startFaultProxy(target: string, random: () => number): Promise<FaultProxy> {
  const { hostname, port } = new URL(target);
  const counts = { pass: 0, delay: 0, reset: 0, lose: 0, cut: 0, '429': 0, '503': 0 };
  const sockets = new Set<Socket>();
  let isHealed = false;
  const choose = (): Fault => {
    const fault = isHealed ? 'pass' : (MIX[Math.floor(random() * MIX.length)] ?? 'pass');
    counts[fault] += 1;
    return fault;
  };
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    relay(client, upstream, choose);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    counts,
    heal() {
      isHealed = true;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return address.port;
}

/** A client sends its next request on a connection only after the answer to the one before. */
function relay(client: Socket, upstream: Socket, choose: () => Fault): void {
  let request = Buffer.alloc(0);
  let fault: Fault = 'pass';
  client.on('data', (chunk: Buffer) => {
    request = Buffer.concat([request, chunk]);
    if (!isWhole(request)) return;
    const whole = request;
    request = Buffer.alloc(0);
    fault = choose();
    if (fault === 'reset') client.resetAndDestroy();
    else if (fault === '429' || fault === '503') answer(client, Number(fault));
    else if (fault === 'delay') setTimeout(() => upstream.write(whole), 30);
    else upstream.write(whole);
  });
  upstream.on('data', (chunk: Buffer) => {
    if (fault === 'lose') client.resetAndDestroy();
    else if (fault === 'cut') client.end(chunk.subarray(0, Math.ceil(chunk.length / 2)));
    else client.write(chunk);
  });
}

function isWhole(request: Buffer): boolean {
  const head = request.indexOf('\r\n\r\n');
  if (head === -1) return false;
  const length = /^content-length: (\d+)/im.exec(request.subarray(0, head).toString('latin1'))?.[1];
  return request.length >= head + 4 + Number(length ?? 0);
}

function answer(client: Socket, status: number): void {
  const body = '{"error":{"code":"unavailable","message":"the proxy says so"}}';
  client.end(
    `HTTP/1.1 ${status} No\r\nretry-after: 0\r\ncontent-type: application/json\r\n` +
      `content-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
  );
}
