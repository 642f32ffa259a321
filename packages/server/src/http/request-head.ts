import type { IncomingMessage } from 'node:http';
import { LedgerError } from '@decision-ledger/contract/errors';
import type { Http } from './types.js';

/** Characters of a host and port (RFC 3986, 3.2.2); empty if the target has no authority. */
const HOST = /^(?:\[[0-9A-Fa-f:.%A-Za-z]*\]|[A-Za-z0-9._~!$&'()*+,;=%-]*)(?::[0-9]*)?$/;

/** Refuses invalid request heads that the server would accept, or answer without the envelope. */
export function addHeadChecks(app: Http): void {
  app.addHook('onRequest', ({ raw }, _reply, done) => done(problemOf(raw)));
}

function problemOf(request: IncomingMessage): LedgerError | undefined {
  const { expect } = request.headers;
  if (!hasOneHost(request)) {
    const message = 'an HTTP/1.1 request must have exactly one Host header, with a host';
    return new LedgerError('malformed_request', message, { headers: { connection: 'close' } });
  }
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') {
    return new LedgerError('expectation_failed', 'the only supported expectation is 100-continue');
  }
  return undefined;
}

/** RFC 9112, 3.2. */
function hasOneHost({ headers, httpVersion, rawHeaders }: IncomingMessage): boolean {
  if (headers.host === undefined) return httpVersion === '1.0';
  const names = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host');
  return names.length <= 1 && HOST.test(headers.host);
}
