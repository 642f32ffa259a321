import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { type RunningCommand, startCommand } from '../../support/service-process.js';

const PATIENCE_MS = 240_000;

export interface HttpServerProcess extends RunningCommand {
  readonly url: string;
}

/** Starts the MCP server over HTTP on a free port, and waits until it listens. */
export async function startHttp(
  options: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<HttpServerProcess> {
  const command = startCommand(['mcp-http', '--port', '0', ...options], environment);
  const ended = command.ended.then(({ stderr }) => {
    throw new Error(`the server ended: ${stderr}`);
  });
  ended.catch(() => undefined);
  const deadline = performance.now() + PATIENCE_MS;
  while (performance.now() < deadline) {
    const [url] = /http:[^\s"]+/.exec(command.stdout()) ?? [];
    if (url !== undefined) return { ...command, url };
    await Promise.race([pause(20), ended]);
  }
  command.kill();
  throw new Error('the server does not listen');
}

export interface RawRequest {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  /** The answer as JSON; null if it has no body. */
  readonly body: unknown;
}

/** A request whose every header the test chooses, `Host` and `Origin` included. */
export function raw(url: string, { method = 'POST', path, headers, body }: RawRequest) {
  const { hostname, port, pathname } = new URL(url);
  return new Promise<RawAnswer>((resolve, reject) => {
    const sent = request(
      {
        ...{ hostname, port, method, path: path ?? pathname },
        headers: { 'Content-Type': 'application/json', ...headers },
      },
      (response) => {
        const { statusCode: status = 0, headers: received } = response;
        const answer = received['content-length'] === undefined ? null : json(response);
        if (answer === null) response.resume();
        Promise.resolve(answer)
          .then((parsed) => resolve({ status, headers: received, body: parsed }))
          .catch(reject);
      },
    );
    // A body of another method would be no part of the request.
    sent.on('error', reject).end(method === 'POST' ? body : undefined);
  });
}
