import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Http } from './types.js';

/** A connection that its caller wants to use for something else than HTTP. */
export interface Upgrade {
  readonly socket: Socket;
  /** What came behind the request's head. */
  readonly head: Buffer;
  readonly response: ServerResponse;
}

const upgrades = new WeakMap<IncomingMessage, Upgrade>();

/** Null where the request is an ordinary one. */
export function upgradeOf(request: IncomingMessage): Upgrade | null {
  return upgrades.get(request) ?? null;
}

/**
 * Lets the routes of one path be asked for a WebSocket (RFC 6455). Such a request goes through the
 * same hooks and checks as any other and is refused with the same answers; its handler may then take
 * the connection over. On all other paths a wish to upgrade is passed over (RFC 9110, 7.8).
 */
export function addUpgrades(app: Http, path: string): void {
  const isAnswering = watchAnswers(app.server);
  app.server.on('upgrade', (request, duplex, head) => {
    const socket = asSocket(duplex);
    // Nobody sends such a request behind one that is not answered yet and expects it to work, and the
    // connection cannot be told both. A head that was cut must not be passed on as a whole one.
    if (isAnswering(socket) || request.rawHeaders.length >= MAX_HEADER_ENTRIES) socket.destroy();
    else if (isHandshake(request, path)) route(app, request, socket, head);
    else serveWithoutUpgrade(app, request, socket, head);
  });
}

/** Names and values that Node.js keeps of a request's head; it leaves out those beyond. */
const MAX_HEADER_ENTRIES = 2000;

/** @returns whether an ordinary request of a connection is still being answered */
function watchAnswers(server: Server): (socket: Socket) => boolean {
  const open = new WeakMap<Socket, number>();
  const count = (socket: Socket, change: number) =>
    open.set(socket, (open.get(socket) ?? 0) + change);
  server.prependListener('request', ({ socket }, response) => {
    count(socket, 1);
    response.once('close', () => count(socket, -1));
  });
  return (socket) => (open.get(socket) ?? 0) > 0;
}

function asSocket(duplex: Duplex): Socket {
  if (duplex instanceof Socket) return duplex;
  throw new TypeError('an HTTP connection is a socket');
}

function isHandshake({ method, url = '', headers }: IncomingMessage, path: string): boolean {
  const isWebSocket = headers.upgrade?.toLowerCase() === 'websocket';
  return method === 'GET' && isWebSocket && url.split('?', 1)[0] === path;
}

function route(app: Http, request: IncomingMessage, socket: Socket, head: Buffer): void {
  socket.on('error', () => socket.destroy());
  const response = new ServerResponse(request);
  response.assignSocket(socket);
  // What follows such a request is no HTTP that this connection could go on with.
  response.shouldKeepAlive = false;
  response.once('finish', () => {
    response.detachSocket(socket);
    // No parser reads what still comes, so nothing else would ever end the connection.
    socket.destroySoon();
  });
  upgrades.set(request, { socket, head, response });
  app.routing(request, response);
}

/** Hands the connection back to the server, with the same request but for its wish to upgrade. */
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
      lines.push(`${name}: ${withoutWish(name, value)}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit('connection', socket);
}

function withoutWish(name: string, value: string): string {
  if (!/^connection$/i.test(name)) return value;
  const options = value.split(',').map((option) => option.trim());
  const kept = options.filter((option) => !/^(upgrade|http2-settings)$/i.test(option));
  return kept.length === 0 ? 'keep-alive' : kept.join(', ');
}
