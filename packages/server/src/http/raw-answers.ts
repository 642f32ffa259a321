import {
  type IncomingMessage,
  maxHeaderSize,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { LedgerError } from '@decision-ledger/contract/errors';
import { policyHeaders } from './answer-policy.js';
import { errorBody } from './errors.js';
import type { Http } from './types.js';

/** Answers errors below the framework (unreadable bytes, timeouts, CONNECT) in the same envelope. */
export interface RawAnswers {
  /** Handler of the server's `clientError`: unreadable bytes and requests that time out. */
  readonly onClientError: (error: { readonly code?: string }, socket: Duplex) => void;
  /** Answers a request that has not arrived in full, and closes its connection. */
  readonly refuse: (socket: Duplex, error: LedgerError) => void;
  /** Handles the requests that the server would answer or drop itself. */
  watch(app: Http): OpenAnswers;
}

export function rawAnswers(nextRequestId: () => string): RawAnswers {
  let answers: OpenAnswers | undefined;
  const refuse = (socket: Duplex, error: LedgerError) => {
    if (!socket.writable || !isFree(answers?.lastOn(socket))) socket.destroy();
    else write(socket, error, nextRequestId());
  };
  return {
    refuse,
    onClientError: ({ code = '' }, socket) => refuse(socket, errorOf(code)),
    watch(app) {
      const { server } = app;
      answers = watchAnswers(server);
      // CONNECT (RFC 9110, 9.3.6) targets no path of this service.
      server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
        const refusal = new LedgerError('method_not_allowed', 'CONNECT is not supported', {
          headers: { allow: '' },
        });
        write(socket, refusal, nextRequestId());
      });
      // The hook that checks request heads refuses these.
      server.on('checkExpectation', (request, response) => app.routing(request, response));
      return answers;
    },
  };
}

/** Whether bytes on the connection would be read as the response to the unreadable request. */
function isFree(answer: ServerResponse | undefined): boolean {
  if (answer === undefined) return true;
  // Either the earlier response is complete, or the unreadable bytes are the body of its request.
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
    ...policyHeaders(requestId),
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${lines.join('')}`;
  socket.end(`${head}\r\n${body}`, () => socket.destroy());
}

/** The requests of each connection that are not answered yet. Those that ask for an upgrade are not among them. */
export interface OpenAnswers {
  countOn(socket: Duplex): number;
  /** The answer to the last request of a connection. */
  lastOn(socket: Duplex): ServerResponse | undefined;
}

function watchAnswers(server: Server): OpenAnswers {
  const counts = new WeakMap<Duplex, number>();
  const last = new WeakMap<Duplex, ServerResponse>();
  const countOn = (socket: Duplex) => counts.get(socket) ?? 0;
  for (const event of ['request', 'checkExpectation'] as const) {
    server.prependListener(event, ({ socket }: IncomingMessage, response: ServerResponse) => {
      last.set(socket, response);
      counts.set(socket, countOn(socket) + 1);
      response.once('close', () => counts.set(socket, countOn(socket) - 1));
    });
  }
  return { countOn, lastOn: (socket) => last.get(socket) };
}
