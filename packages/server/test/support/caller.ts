import { Agent, type IncomingHttpHeaders, request } from 'node:http';

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

/** Calls one server with one key, over as many kept connections as there are calls at once. */
export interface Caller {
  /** Rejects when the connection breaks before the whole answer is there. */
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Reply>;
  close(): void;
}

/** @param path everything behind `url` is taken as it is: begin with `/api/v1` where it is meant */
export function createCaller(url: string, key: string): Caller {
  const agent = new Agent({ keepAlive: true });
  return {
    call(method, path, body, headers = {}) {
      const text = body === undefined ? '' : JSON.stringify(body);
      const all = {
        'x-ledger-key': key,
        ...(body !== undefined && {
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(text)),
        }),
        ...headers,
      };
      return new Promise((resolve, reject) => {
        const sent = request(new URL(path, url), { agent, method, headers: all }, (response) => {
          let answer = '';
          response.setEncoding('utf8');
          response.on('data', (chunk: string) => {
            answer += chunk;
          });
          response.on('error', reject);
          response.on('end', () => {
            const { statusCode: status = 0, headers: fields } = response;
            try {
              resolve({ status, headers: fields, body: JSON.parse(answer) as unknown });
            } catch (error) {
              reject(error);
            }
          });
        });
        sent.on('error', reject);
        sent.end(text);
      });
    },
    close: () => agent.destroy(),
  };
}

/** Lets the load through: the limits of an organisation are its own affair. */
export async function liftRateLimits(caller: Caller): Promise<void> {
  const figures = ['ingest_per_second', 'batch_per_second', 'read_per_second'];
  const rate_limits = Object.fromEntries(figures.map((name) => [name, 1_000_000]));
  const { status, body } = await caller.call('PATCH', '/api/v1/settings', { rate_limits });
  if (status !== 200) throw new Error(`the settings were refused: ${JSON.stringify(body)}`);
}
