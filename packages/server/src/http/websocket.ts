import type { IncomingMessage } from 'node:http';
import { LedgerError } from '@decision-ledger/contract/errors';
import { LIMITS } from '@decision-ledger/contract/limits';
import { CLOSE_CODES } from '@decision-ledger/contract/stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Stopwatch } from '../platform/clock.js';
import { admit, type GcraState } from './rate-limit/gcra.js';
import type { Upgrade } from './upgrade.js';

/** An open WebSocket that only the service speaks on. */
export interface Downstream {
  /** Sends bytes that are whole frames; `done` is called once the system has taken them, or never will. */
  write(frames: Buffer, done: () => void): void;
  /** Asks whether the other end is there. */
  ping(): void;
  close(code: number, reason: string): void;
  /** Ends it without another word. */
  destroy(): void;
}

/** What is told of the other end. */
export interface DownstreamEvents {
  onPong(): void;
  /** @param code with which it was closed (RFC 6455, 7.4), 1006 where it was cut */
  onEnd(code: number): void;
}

/** What a caller may send is at most a control frame. */
const MAX_INCOMING_BYTES = 4096;
/** A caller that pings and does not read gets no answers beyond these bytes. */
const MAX_PONG_BYTES = 64 * 1024;
/** Pings and pongs that a caller may send, more than twice what the hastiest library does. */
const CONTROL_FRAMES = {
  limit: LIMITS.streamPingsPerMinute,
  periodMs: 60_000,
  burst: LIMITS.streamPingsPerMinute,
};
/** How long a caller that is sent away has to take note; nothing that it sends is read meanwhile. */
const EXPELLED_MS = 1000;

const server = new WebSocketServer({
  noServer: true,
  clientTracking: false,
  perMessageDeflate: false,
  autoPong: false,
  maxPayload: MAX_INCOMING_BYTES,
});

const KEY = /^[+/0-9A-Za-z]{22}==$/;
const PROTOCOL = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/**
 * Refuses what the opening handshake (RFC 6455, 4.2.1) does not allow, while it can still be answered.
 * @throws LedgerError `malformed_request`
 */
export function checkHandshake({ headers }: IncomingMessage): void {
  const protocols = headers['sec-websocket-protocol'];
  const isGood =
    headers['sec-websocket-version'] === '13' &&
    KEY.test(headers['sec-websocket-key'] ?? '') &&
    (protocols === undefined || areProtocols(protocols));
  if (isGood) return;
  throw new LedgerError('malformed_request', 'this is no WebSocket handshake of version 13', {
    headers: { 'sec-websocket-version': '13' },
  });
}

/** Names with commas between, none of them twice. */
function areProtocols(header: string): boolean {
  const names = header.split(/[ \t]*,[ \t]*/);
  return names.every((name) => PROTOCOL.test(name)) && new Set(names).size === names.length;
}

/**
 * Accepts the WebSocket that a request asks for.
 */
export function acceptWebSocket(
  request: IncomingMessage,
  { socket, head, response }: Upgrade,
  stopwatch: Stopwatch,
  onOpen: (downstream: Downstream) => DownstreamEvents,
): void {
  response.detachSocket(socket);
  server.handleUpgrade(request, socket, head, (webSocket) => {
    let sentCode: number | null = null;
    const close = (code: number, reason: string) => {
      sentCode ??= code;
      webSocket.close(code, reason);
    };
    const events = onOpen({
      write(frames, done) {
        // Frames without a mask or an extension are the same for all, and go out as they are.
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
    const expel = (code: number, reason: string) => {
      close(code, reason);
      webSocket.pause();
      setTimeout(() => webSocket.terminate(), EXPELLED_MS).unref();
    };
    webSocket.on('message', (_data, isBinary) =>
      expel(
        isBinary ? CLOSE_CODES.unsupportedData : CLOSE_CODES.policyViolation,
        'this stream takes no messages',
      ),
    );
    webSocket.on('pong', () => events.onPong());
    answerPings(webSocket, () => socket.writableLength);
    limitControlFrames(webSocket, stopwatch, () =>
      expel(CLOSE_CODES.policyViolation, TOO_MANY_PINGS),
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
