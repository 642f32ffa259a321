import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';

export interface FaultyProxy {
  readonly url: string;
  /** What was answered to the first, second, … request; the answer to the second was lost. */
  readonly statuses: readonly number[];
  stop(): Promise<void>;
}

/**
 * A proxy that answers 503 to the first request, passes the second one on but loses its answer, and
 * behaves from then on.
 */
export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  const statuses: number[] = [];
  const server = createServer(async (request, response) => {
    const body = await bytesOf(request);
    if (statuses.length === 0) {
      statuses.push(503);
      response.writeHead(503, { 'retry-after': '1' }).end();
      return;
    }
    const kept = ['content-type', 'content-encoding', 'x-ledger-key'];
    const headers = kept.map((name) => [name, String(request.headers[name])] as const);
    const answer = await fetch(`${target}${request.url}`, {
      method: 'POST',
      headers: Object.fromEntries(headers),
      body,
    });
    statuses.push(answer.status);
    const content = Buffer.from(await answer.arrayBuffer());
    if (statuses.length === 2) {
      response.writeHead(503, { 'retry-after': '1' }).end();
      return;
    }
    response.writeHead(answer.status, {
      'content-type': String(answer.headers.get('content-type')),
    });
    response.end(content);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    statuses,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function bytesOf(request: IncomingMessage): Promise<Buffer<ArrayBuffer>> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}
