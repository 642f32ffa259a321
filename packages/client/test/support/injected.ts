import { Ledger, type LedgerOptions } from '@decision-ledger/client';
import type { TestService } from '../../../server/test/support/service.js';

const METHODS = { GET: 'GET', POST: 'POST', PATCH: 'PATCH' } as const;
const isKnown = (method: string): method is keyof typeof METHODS => method in METHODS;

/** Where a connection is lost. */
type Break = 'before' | 'after';

/**
 * A client of a service in this process.
 * @param breaks whether the connection is lost before or after a request is answered; null: it is not
 */
export function injected(
  { http }: Pick<TestService, 'http'>,
  key: string,
  options: Partial<LedgerOptions> = {},
  breaks: (method: string) => Break | null = () => null,
): Ledger {
  return new Ledger({
    ...{ url: 'http://ledger.test', key },
    ...options,
    async fetch(url, { method, headers, body }) {
      if (!isKnown(method)) throw new TypeError(method);
      const lost = breaks(method);
      if (lost === 'before') throw new TypeError('the connection was lost');
      const payload = typeof body === 'object' ? Buffer.from(body) : body;
      const answer = await http.inject({
        ...{ url: url.slice('http://ledger.test'.length), method, headers },
        ...(payload !== undefined && { payload }),
      });
      if (lost === 'after') throw new TypeError('the answer was lost');
      return {
        status: answer.statusCode,
        headers: { get: (name) => String(answer.headers[name] ?? '') || null },
        text: () => Promise.resolve(answer.body),
        arrayBuffer: () => Promise.resolve(new Uint8Array(answer.rawPayload).buffer),
      };
    },
  });
}
