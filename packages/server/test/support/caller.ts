import { Agent, type IncomingHttpHeaders, request } from 'node:http';

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

/**
 * Calls one server with one key, over as many persistent connections as there are concurrent calls.
 */
export interface Caller {
  /** Rejects if the connection breaks before the answer is complete. */
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Reply>;
  close(): void;
}

/** @param path appended to `url` as it is: begin with `/api/v1` for the API */
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

/** Raises the limits of the organisation for load. */
export async function liftRateLimits(caller: Caller): Promise<void> {
  const figures = [
    ...['ingest_per_second', 'batch_per_second', 'read_per_second', 'exports_per_hour'],
  ];
  const rate_limits = Object.fromEntries(figures.map((name) => [name, 1_000_000]));
  const { status, body } = await caller.call('PATCH', '/api/v1/settings', { rate_limits });
  if (status !== 200) throw new Error(`the settings were refused: ${JSON.stringify(body)}`);
}
