import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { LedgerError } from '@decision-ledger/contract/errors';
import { LIMITS } from '@decision-ledger/contract/limits';
import { CLOSE_CODES } from '@decision-ledger/contract/stream';
import type { FastifyRequest } from 'fastify';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Stopwatch } from '../platform/clock.js';
import { policyHeaders, type ResponseClass } from './answer-policy.js';
import { admit, type GcraState } from './rate-limit/limiter.js';
import type { OpenAnswers } from './raw-answers.js';
import type { Http } from './types.js';

/** An open WebSocket on which only the service sends messages. */
export interface Downstream {
  /** Sends complete frames; `done` is called once the system has accepted or discarded them. */
  write(frames: Buffer, done: () => void): void;
  /** Checks whether the peer is alive. */
  ping(): void;
  close(code: number, reason: string): void;
  /** Closes the connection without a close frame. */
  destroy(): void;
}

/** Events of the peer. */
export interface DownstreamEvents {
  onPong(): void;
  /** @param code close code (RFC 6455, 7.4); 1006 if the connection was lost */
  onEnd(code: number): void;
}

/** Clients send control frames only. */
const MAX_INCOMING_BYTES = 4096;
/** Pongs waiting beyond this size are dropped, for clients that ping without reading. */
const MAX_PONG_BYTES = 64 * 1024;
/** Maximum pings and pongs of a client, more than twice those of the most frequent library. */
const CONTROL_FRAMES = {
  limit: LIMITS.streamPingsPerMinute,
  periodMs: 60_000,
  burst: LIMITS.streamPingsPerMinute,
};
/** How long a client has to acknowledge a close; its data is not read in this time. */
const CLOSE_TIMEOUT_MS = 1000;

const server = new WebSocketServer({
  noServer: true,
  clientTracking: false,
  perMessageDeflate: false,
  autoPong: false,
  maxPayload: MAX_INCOMING_BYTES,
});

const requestIds = new WeakMap<IncomingMessage, string>();
server.on('headers', (lines, request) => {
  const headers = policyHeaders(requestIds.get(request) ?? '');
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
});

const KEY = /^[+/0-9A-Za-z]{22}==$/;
const PROTOCOL = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/**
 * Refuses invalid opening handshakes (RFC 6455, 4.2.1) while an HTTP response is still possible.
 * @throws LedgerError `malformed_request`
 */
export function checkHandshake({ headers }: IncomingMessage): void {
  const protocols = headers['sec-websocket-protocol'];
  const isGood =
    headers['sec-websocket-version'] === '13' &&
    KEY.test(headers['sec-websocket-key'] ?? '') &&
    (protocols === undefined || areProtocols(protocols));
  if (isGood) return;
  throw new LedgerError('malformed_request', 'this is not a WebSocket handshake of version 13', {
    headers: { 'sec-websocket-version': '13' },
  });
}

/** Comma-separated names without duplicates. */
function areProtocols(header: string): boolean {
  const names = header.split(/[ \t]*,[ \t]*/);
  return names.every((name) => PROTOCOL.test(name)) && new Set(names).size === names.length;
}

/** Accepts the WebSocket handshake of a request. */
export function acceptWebSocket(
  { raw, id }: Pick<FastifyRequest, 'raw' | 'id'>,
  { socket, head, response }: Upgrade,
  stopwatch: Stopwatch,
  onOpen: (downstream: Downstream) => DownstreamEvents,
): void {
  response.detachSocket(socket);
  requestIds.set(raw, id);
  server.handleUpgrade(raw, socket, head, (webSocket) => {
    let sentCode: number | null = null;
    const close = (code: number, reason: string) => {
      sentCode ??= code;
      webSocket.close(code, reason);
    };
    const events = onOpen({
      write(frames, done) {
        // Frames without mask and extension are the same for all connections and are sent unchanged.
        if (webSocket.readyState === webSocket.OPEN) socket.write(frames, () => done());
        else setImmediate(done);
      },
      ping: () => {
        if (webSocket.readyState === webSocket.OPEN) webSocket.ping();
      },
      close,
      destroy: () => webSocket.terminate(),
    });
    webSocket.on('error', () => webSocket.terminate());
    webSocket.on('close', (code) => events.onEnd(sentCode ?? code));
    const closeAndTerminate = (code: number, reason: string) => {
      close(code, reason);
      webSocket.pause();
      setTimeout(() => webSocket.terminate(), CLOSE_TIMEOUT_MS).unref();
    };
    webSocket.on('message', (_data, isBinary) =>
      closeAndTerminate(
        isBinary ? CLOSE_CODES.unsupportedData : CLOSE_CODES.policyViolation,
        'this stream accepts no messages',
      ),
    );
    webSocket.on('pong', () => events.onPong());
    answerPings(webSocket, () => socket.writableLength);
    limitControlFrames(webSocket, stopwatch, () =>
      closeAndTerminate(CLOSE_CODES.policyViolation, TOO_MANY_PINGS),
    );
  });
}

const TOO_MANY_PINGS = `more than ${CONTROL_FRAMES.limit} pings and pongs a minute`;

function limitControlFrames(
  webSocket: WebSocket,
  stopwatch: Stopwatch,
  onTooMany: () => void,
): void {
  let state: GcraState | undefined;
  const count = () => {
    const admission = admit(state, stopwatch(), CONTROL_FRAMES, 1);
    state = admission.state;
    if (!admission.allowed && webSocket.readyState === webSocket.OPEN) onTooMany();
  };
  webSocket.on('ping', count);
  webSocket.on('pong', count);
}

function answerPings(webSocket: WebSocket, waitingBytes: () => number): void {
  webSocket.on('ping', (data) => {
    const isOpen = webSocket.readyState === webSocket.OPEN;
    if (isOpen && waitingBytes() < MAX_PONG_BYTES) webSocket.pong(data);
  });
}

/** A connection whose caller requests an upgrade to another protocol. */
export interface Upgrade {
  readonly socket: Socket;
  /** Bytes received after the request head. */
  readonly head: Buffer;
  readonly response: ServerResponse;
}

const upgrades = new WeakMap<IncomingMessage, Upgrade>();

/** Returns null for an ordinary request. */
export function upgradeOf(request: IncomingMessage): Upgrade | null {
  return upgrades.get(request) ?? null;
}

/**
 * Supports WebSocket handshakes (RFC 6455) on one path. They pass the same hooks and checks as other
 * requests and get the same error responses; the handler may then take over the connection. On all
 * other paths an upgrade request is ignored (RFC 9110, 7.8).
 */
export function addUpgrades(
  app: Http,
  path: string,
  answers: OpenAnswers,
  Response: ResponseClass,
): void {
  app.server.on('upgrade', (request, duplex, head) => {
    const socket = asSocket(duplex);
    // An upgrade pipelined after an unanswered request cannot be answered in order. A truncated head
    // must not be passed on as a complete one.
    if (answers.countOn(socket) > 0 || request.rawHeaders.length >= MAX_HEADER_ENTRIES)
      socket.destroy();
    else if (isHandshake(request, path)) route(app, new Response(request), socket, head);
    else serveWithoutUpgrade(app, request, socket, head);
  });
}

/** Node.js keeps this many names and values of a request head and drops the rest. */
const MAX_HEADER_ENTRIES = 2000;

function asSocket(duplex: Duplex): Socket {
  if (duplex instanceof Socket) return duplex;
  throw new TypeError('an HTTP connection must be a socket');
}

function isHandshake({ method, url = '', headers }: IncomingMessage, path: string): boolean {
  const isWebSocket = headers.upgrade?.toLowerCase() === 'websocket';
  return method === 'GET' && isWebSocket && url.split('?', 1)[0] === path;
}

function route(app: Http, response: ServerResponse, socket: Socket, head: Buffer): void {
  socket.on('error', () => socket.destroy());
  response.assignSocket(socket);
  // The bytes after an upgrade request are not HTTP.
  response.shouldKeepAlive = false;
  response.once('finish', () => {
    response.detachSocket(socket);
    // No parser reads further bytes, so nothing else would end the connection.
    socket.destroySoon();
  });
  upgrades.set(response.req, { socket, head, response });
  app.routing(response.req, response);
}

/** Returns the connection to the server, with the same request minus its upgrade headers. */
function serveWithoutUpgrade(
  { server }: Http,
  request: IncomingMessage,
  socket: Socket,
  head: Buffer,
): void {
  const { method, url, httpVersion, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2);
    if (!/^(upgrade|http2-settings)$/i.test(name))
      lines.push(`${name}: ${withoutUpgradeOptions(name, value)}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit('connection', socket);
}

function withoutUpgradeOptions(name: string, value: string): string {
  if (!/^connection$/i.test(name)) return value;
  const options = value.split(',').map((option) => option.trim());
  const kept = options.filter((option) => !/^(upgrade|http2-settings)$/i.test(option));
  return kept.length === 0 ? 'keep-alive' : kept.join(', ');
}
