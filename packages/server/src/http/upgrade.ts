import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ResponseClass } from './answer-policy.js';
import type { OpenAnswers } from './open-answers.js';
import type { Http } from './types.js';

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
