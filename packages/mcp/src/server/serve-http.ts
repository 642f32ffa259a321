import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type HttpAccess, type Refusal, refusalOf, refuseSource } from './http-access.js';
import { mirroredBy } from './mirrored-headers.js';
import {
  HEADER_MISMATCH,
  INVALID_REQUEST,
  type JsonRpcResponse,
  MAX_MESSAGE_BYTES,
  METHOD_NOT_FOUND,
  MODERN,
  PARSE_ERROR,
  type Protocol,
  UNSUPPORTED_VERSION,
} from './protocol.js';

export interface HttpLimits {
  /** For the headers of a request, in ms. */
  readonly headersMs: number;
  /** For a whole request, in ms. */
  readonly requestMs: number;
  /** Without a byte in either direction, in ms. An answer that is not read ends so. */
  readonly silenceMs: number;
  /** For the requests in progress when the server stops, in ms. */
  readonly drainMs: number;
  readonly connections: number;
  /** Requests in progress at once. */
  readonly requests: number;
}

export const HTTP_LIMITS: HttpLimits = {
  headersMs: 10_000,
  requestMs: 30_000,
  silenceMs: 120_000,
  drainMs: 10_000,
  connections: 200,
  requests: 50,
};

export interface HttpOptions {
  readonly host: string;
  /** 0: any that is free */
  readonly port: number;
  readonly access: HttpAccess;
  readonly limits: HttpLimits;
  /** Answers the message of one request: there are no sessions. */
  openProtocol(): Protocol;
}

export interface HttpEndpoint {
  readonly port: number;
  /** Finishes what is in progress, up to the limit, and closes every connection. */
  stop(): Promise<void>;
}

const SERVER_ERROR = -32000;
const ASKED_HEADERS = 'authorization, content-type, mcp-protocol-version, mcp-method, mcp-name';

/**
 * Answers messages over streamable HTTP, one for each request.
 * @throws the error of the system if it cannot listen
 */
export async function serveHttp(options: HttpOptions): Promise<HttpEndpoint> {
  const { limits } = options;
  const server = createServer({
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: Math.min(1000, limits.headersMs),
  });
  server.maxConnections = limits.connections;
  server.timeout = limits.silenceMs;
  const running = new Set<Promise<void>>();
  server.on('request', (request, response) => {
    if (!server.listening) response.setHeader('Connection', 'close');
    if (running.size >= limits.requests) {
      send(request, response, BUSY);
      return;
    }
    const closed = new Promise<void>((resolve) => response.once('close', resolve));
    running.add(closed);
    void closed.finally(() => running.delete(closed));
    void respond(request, response, options);
  });
  const port = await listen(server, options);
  return { port, stop: () => stop(server, running, limits.drainMs) };
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  { access, openProtocol }: HttpOptions,
): Promise<void> {
  allowPages(request, response, access);
  if (request.method === 'OPTIONS') {
    return send(request, response, refuseSource(request, access) ?? { status: 204, message: '' });
  }
  const refusal = refusalOf(request, access);
  if (refusal !== null) return send(request, response, refusal);
  const protocol = openProtocol();
  // A client that is gone wants no answer.
  response.once('close', () => protocol.cancelAll());
  try {
    const answer = await protocol.answer(await readBody(request), mirroredBy(request.headers));
    if (answer === null) send(request, response, { status: 202, message: '' });
    else sendAnswer(response, statusOf(answer, request), answer);
  } catch (error) {
    if (error instanceof BodyError) return send(request, response, error);
    // The connection broke, or this is a defect: its message is for no client.
    send(request, response, { status: 500, message: 'the request failed' });
  }
}

/** Known pages may read answers; a browser asks first. */
function allowPages(
  { headers: { origin } }: IncomingMessage,
  response: ServerResponse,
  { origins }: HttpAccess,
): void {
  if (origin === undefined || !origins.has(origin)) return;
  response.setHeader('Access-Control-Allow-Origin', origin);
  response.setHeader('Access-Control-Allow-Methods', 'POST');
  response.setHeader('Access-Control-Allow-Headers', ASKED_HEADERS);
  response.setHeader('Vary', 'Origin');
}

const BUSY: Refusal = {
  status: 503,
  message: 'too many requests at once',
  headers: { 'Retry-After': '1' },
};

/** Whatever else is wrong stands in the answer alone. */
const STATUS_OF_CODES: ReadonlyMap<number, number> = new Map([
  [PARSE_ERROR, 400],
  [INVALID_REQUEST, 400],
  [UNSUPPORTED_VERSION, 400],
  [HEADER_MISMATCH, 400],
]);

function statusOf(answer: JsonRpcResponse, { headers }: IncomingMessage): number {
  if (!('error' in answer)) return 200;
  const { code } = answer.error;
  // Clients of the versions with a handshake take a 404 for a lost session.
  if (code === METHOD_NOT_FOUND && headers['mcp-protocol-version'] === MODERN) return 404;
  return STATUS_OF_CODES.get(code) ?? 200;
}

/** An answer without a message has no body. */
function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, message, headers = {} }: Refusal,
): void {
  // What is left of the body is read and dropped, so that the client gets to the answer.
  request.resume();
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (message === '') {
    response.writeHead(status).end();
    return;
  }
  sendAnswer(response, status, {
    jsonrpc: '2.0',
    id: null,
    error: { code: SERVER_ERROR, message },
  });
}

function sendAnswer(response: ServerResponse, status: number, answer: JsonRpcResponse): void {
  const body = Buffer.from(JSON.stringify(answer));
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': body.length,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  });
  response.end(body);
}

async function listen(server: Server, { host, port }: HttpOptions): Promise<number> {
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  return address !== null && typeof address === 'object' ? address.port : port;
}

async function stop(
  server: Server,
  running: ReadonlySet<Promise<void>>,
  drainMs: number,
): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  const abort = setTimeout(() => server.closeAllConnections(), drainMs);
  await Promise.all(running);
  server.closeIdleConnections();
  await closed;
  clearTimeout(abort);
}

/** The body of a request cannot be read. */
class BodyError extends Error {
  override readonly name = 'BodyError';
  constructor(
    readonly status: 400 | 413,
    message: string,
  ) {
    super(message);
  }
}

/**
 * @throws BodyError if the body is too long or no UTF-8
 * @throws the error of the connection if it breaks
 */
async function readBody(request: IncomingMessage): Promise<string> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_MESSAGE_BYTES) throw tooLong();
  const parts: Buffer[] = [];
  let bytes = 0;
  // The loop must not destroy a request that is refused: the answer still needs its connection.
  for await (const part of request.iterator({ destroyOnReturn: false })) {
    if (!(part instanceof Buffer)) throw new TypeError('a body consists of bytes');
    bytes += part.length;
    if (bytes > MAX_MESSAGE_BYTES) throw tooLong();
    parts.push(part);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(parts));
  } catch {
    throw new BodyError(400, 'the message is not UTF-8');
  }
}

function tooLong(): BodyError {
  return new BodyError(413, `the message is longer than ${MAX_MESSAGE_BYTES} bytes`);
}
