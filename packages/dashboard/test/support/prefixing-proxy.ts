import { createServer, type IncomingMessage, request as send } from 'node:http';
import { type AddressInfo, connect } from 'node:net';

/** A reverse proxy that has a service below a path of its own, as one of several on a host. */
export interface PrefixingProxy {
  /** The address of the service, with the path and without a slash at the end. */
  readonly url: string;
  /** Requests that were not below the path. */
  readonly strays: readonly string[];
  close(): Promise<void>;
}

/** Removes the path from requests, which is all that the service notices of it. */
export async function startPrefixingProxy(service: string, path: string): Promise<PrefixingProxy> {
  const target = new URL(service);
  const strays: string[] = [];
  const inner = ({ url = '' }: IncomingMessage) => {
    if (url.startsWith(`${path}/`)) return url.slice(path.length);
    if (url !== '/favicon.ico') strays.push(url);
    return undefined;
  };
  const server = createServer((request, response) => {
    const own = inner(request);
    if (own === undefined) {
      response.writeHead(404).end();
      return;
    }
    const { method, headers } = request;
    const options = { host: target.hostname, port: target.port, path: own, method, headers };
    const passed = send(options, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    passed.once('error', () => response.destroy());
    request.pipe(passed);
  });
  server.on('upgrade', (request, socket, head) => {
    const own = inner(request);
    const upstream = connect(Number(target.port), target.hostname, () => {
      const lines: string[] = [];
      for (let at = 0; at + 1 < request.rawHeaders.length; at += 2) {
        lines.push(`${request.rawHeaders[at]}: ${request.rawHeaders[at + 1]}`);
      }
      upstream.write(`GET ${own} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
      upstream.write(head);
      upstream.pipe(socket).pipe(upstream);
    });
    for (const one of [upstream, socket]) {
      one.once('error', () => undefined);
      one.once('close', () => [upstream, socket].map((other) => other.destroy()));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${path}`,
    strays,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
