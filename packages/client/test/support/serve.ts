import { createServer } from 'node:http';
import { TestService } from '@decision-ledger/client/testing';

export interface ServedLedger {
  readonly url: string;
  readonly service: TestService;
  close(): Promise<void>;
}

/** The ledger in memory behind a port, for clients in other processes and in browsers. */
export async function serveLedger(): Promise<ServedLedger> {
  const service = new TestService();
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', async () => {
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      );
      const allowed = {
        'access-control-allow-origin': '*',
        'access-control-allow-headers': '*',
        'content-type': 'application/json',
      };
      if (request.method === 'OPTIONS') {
        response.writeHead(204, allowed).end();
        return;
      }
      const { signal } = new AbortController();
      const answer = await service.fetch(`http://ledger.test${request.url}`, {
        ...{ method: request.method ?? '', headers, body, signal, redirect: 'manual' },
      });
      response.writeHead(answer.status, allowed).end(await answer.text());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    ...{ service, url: `http://127.0.0.1:${port}` },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
