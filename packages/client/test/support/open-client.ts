import { Ledger, type LedgerOptions } from '@decision-ledger/client';
import type { TestService } from '../../../server/test/support/service.js';

export type ClientOptions = Pick<LedgerOptions, 'key'> & Partial<LedgerOptions>;

/** A client of the service, without a port. */
export function openClient({ http }: TestService, options: ClientOptions): Ledger {
  return new Ledger({
    url: 'http://ledger.test',
    async fetch(url, { method, headers, body }) {
      const request = { method, url: url.slice('http://ledger.test'.length), headers };
      const answer = await http.inject({
        ...request,
        ...{ method: method === 'POST' ? 'POST' : 'GET' },
        ...(body !== undefined && { payload: body }),
      });
      return {
        status: answer.statusCode,
        headers: { get: (name) => String(answer.headers[name] ?? '') || null },
        text: () => Promise.resolve(answer.body),
        arrayBuffer: () => Promise.resolve(new ArrayBuffer(0)),
      };
    },
    ...options,
  });
}
