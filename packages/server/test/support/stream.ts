import { STREAM_PATH, StreamEvent } from '@decision-ledger/contract/stream';
import { Parse } from 'typebox/value';
import { WebSocket } from 'ws';
import type { Http } from '#server/http/types';
import type { Answer } from './client.js';

export interface Ending {
  readonly code: number;
  readonly reason: string;
}

/** A stream client with its received frames in order. */
export interface Listener {
  readonly socket: WebSocket;
  /** Every received frame as text. */
  readonly texts: readonly string[];
  /** The parsed frames without heartbeats. */
  readonly events: readonly StreamEvent[];
  readonly heartbeats: readonly StreamEvent[];
  /** The id of the last frame. */
  lastId(): string | undefined;
  /** Resolves when the received frames match. */
  until(fits: (listener: Listener) => boolean): Promise<void>;
  readonly ended: Promise<Ending>;
  close(): Promise<Ending>;
}

export interface Approach {
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly path?: string;
}

/** Lets a test's service listen on a port; returns its address. */
export async function listen(http: Http): Promise<string> {
  const address = await http.listen({ host: '127.0.0.1', port: 0 });
  return address.replace(/^http/, 'ws');
}

function begin(url: string, { key, query = {}, headers = {}, path = STREAM_PATH }: Approach) {
  const own = key === undefined ? {} : { 'x-ledger-key': key };
  const target = new URL(path, url);
  for (const [name, value] of Object.entries(query)) target.searchParams.append(name, value);
  return new WebSocket(target, { headers: { ...own, ...headers } });
}

/** Connects and waits for the first heartbeat; rejects if the handshake is refused. */
export async function connect(url: string, approach: Approach): Promise<Listener> {
  const socket = begin(url, approach);
  const listener = listenerOf(socket);
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve());
    socket.once('error', reject);
  });
  await listener.until(({ texts }) => texts.length > 0);
  return listener;
}

/** Expects a handshake to be refused with an HTTP answer. */
export async function refusal(url: string, approach: Approach): Promise<Answer> {
  const socket = begin(url, approach);
  return new Promise((resolve, reject) => {
    socket.once('open', () => reject(new Error('the handshake was accepted')));
    socket.once('error', reject);
    socket.once('unexpected-response', (_request, response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('end', () => {
        const value = (name: string) => response.headers[name.toLowerCase()];
        resolve({
          status: response.statusCode ?? 0,
          text: Buffer.concat(chunks).toString('utf8'),
          headerNames: Object.keys(response.headers),
          header: (name) => (value(name) === undefined ? undefined : String(value(name))),
        });
      });
    });
  });
}

function listenerOf(socket: WebSocket): Listener {
  const texts: string[] = [];
  const events: StreamEvent[] = [];
  const heartbeats: StreamEvent[] = [];
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const look of [...waiting]) look();
  };
  let isOver = false;
  const ended = new Promise<Ending>((resolve) => {
    socket.once('close', (code, reason) => {
      isOver = true;
      resolve({ code, reason: reason.toString() });
      wake();
    });
  });
  socket.on('error', () => undefined);
  socket.on('message', (data) => {
    const text = String(data);
    texts.push(text);
    const event = Parse(StreamEvent, JSON.parse(text));
    (event.type === 'heartbeat' ? heartbeats : events).push(event);
    wake();
  });
  const listener: Listener = {
    ...{ socket, texts, events, heartbeats, ended },
    lastId: () => {
      const last = texts.at(-1);
      return last === undefined ? undefined : Parse(StreamEvent, JSON.parse(last)).id;
    },
    until: (fits) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (!fits(listener) && !isOver) return;
          waiting.delete(look);
          if (fits(listener)) resolve();
          else reject(new Error(`the stream ended early, after ${texts.length} frames`));
        };
        waiting.add(look);
        look();
      }),
    close: () => {
      socket.close();
      return ended;
    },
  };
  return listener;
}
