import { type IncomingMessage, maxHeaderSize, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { LedgerError } from '@decision-ledger/contract/errors';
import { errorBody } from './errors.js';
import type { Http } from './types.js';

type Server = Http['server'];

/** Answers what never becomes a request, where the framework has no answer, in the same envelope. */
export interface RawAnswers {
  /** What the server calls with bytes that it cannot read, and with requests that do not arrive in time. */
  readonly onClientError: (error: { readonly code?: string }, socket: Duplex) => void;
  /** Takes up what the server would answer, or drop, by itself. */
  watch(app: Http): void;
}

export function rawAnswers(nextRequestId: () => string): RawAnswers {
  const answers = new WeakMap<Duplex, ServerResponse>();
  return {
    onClientError({ code = '' }, socket) {
      if (!socket.writable || !isFree(answers.get(socket))) socket.destroy();
      else write(socket, errorOf(code), nextRequestId());
    },
    watch(app) {
      const { server } = app;
      remember(server, answers);
      // A tunnel is asked for (RFC 9110, 9.3.6), and its target is none of our paths.
      server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
        const refusal = new LedgerError('method_not_allowed', 'this service opens no tunnels', {
          headers: { allow: '' },
        });
        write(socket, refusal, nextRequestId());
      });
      // Refused as any other request is, by the hook that looks at its head.
      server.on('checkExpectation', (request, response) => app.routing(request, response));
    },
  };
}

function remember(server: Server, answers: WeakMap<Duplex, ServerResponse>): void {
  for (const event of ['request', 'checkExpectation'] as const) {
    server.prependListener(event, (request: IncomingMessage, response: ServerResponse) => {
      answers.set(request.socket, response);
    });
  }
}

/** Whether bytes on the connection would be read as the answer to what could not be read. */
function isFree(answer: ServerResponse | undefined): boolean {
  if (answer === undefined) return true;
  // Either the former request is done with, or it is its own body that cannot be read.
  return answer.req.complete ? answer.writableFinished : !answer.headersSent;
}

function errorOf(code: string): LedgerError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new LedgerError('request_timeout', 'the request did not arrive in time');
  }
  const isTooLarge = code === 'HPE_HEADER_OVERFLOW';
  const problem = isTooLarge
    ? `the request line and headers are larger than ${maxHeaderSize / 1024} KiB together`
    : 'the bytes received are not an HTTP request';
  return new LedgerError('malformed_request', problem);
}

function write(socket: Duplex, error: LedgerError, requestId: string): void {
  const body = JSON.stringify(errorBody(error));
  const headers = {
    ...error.headers,
    'Content-Type': 'application/json; charset=utf-8',
    'X-Request-ID': requestId,
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${lines.join('')}`;
  socket.end(`${head}\r\n${body}`, () => socket.destroy());
}
