import { Ledger, type LedgerOptions } from '@decision-ledger/client';
import type { TestService } from '../../../server/test/support/service.js';

const METHODS = { GET: 'GET', POST: 'POST', PATCH: 'PATCH' } as const;
const isKnown = (method: string): method is keyof typeof METHODS => method in METHODS;

/**
 * A client of a service in this process.
 * @param breaks whether the answer to a request is lost
 */
export function injected(
  { http }: Pick<TestService, 'http'>,
  key: string,
  options: Partial<LedgerOptions> = {},
  breaks: (method: string) => boolean = () => false,
): Ledger {
  return new Ledger({
    ...{ url: 'http://ledger.test', key },
    ...options,
    async fetch(url, { method, headers, body }) {
      if (!isKnown(method)) throw new TypeError(method);
      const payload = typeof body === 'object' ? Buffer.from(body) : body;
      const answer = await http.inject({
        ...{ url: url.slice('http://ledger.test'.length), method, headers },
        ...(payload !== undefined && { payload }),
      });
      if (breaks(method)) throw new TypeError('the answer was lost');
      return {
        status: answer.statusCode,
        headers: { get: (name) => String(answer.headers[name] ?? '') || null },
        text: () => Promise.resolve(answer.body),
        arrayBuffer: () => Promise.resolve(new Uint8Array(answer.rawPayload).buffer),
      };
    },
  });
}
