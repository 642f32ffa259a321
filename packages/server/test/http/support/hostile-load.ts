import { randomBytes } from 'node:crypto';
import { LIMITS } from '@decision-ledger/contract/limits';
import { Type } from 'typebox';
import { Parse } from 'typebox/value';
import { WebSocket } from 'ws';
import { formatKey } from '#server/domains/access/keys/rules/key';
import { HOSTILE_BODIES, type HostileBody, type Random, randomOf } from './hostile-bodies.js';
import { openRaw } from './raw.js';

/** A request that was sent, and its answer. */
export interface Sent {
  readonly what: string;
  /** ms since 1970. */
  readonly at: number;
  readonly ms: number;
  /** 0 if the connection was cut. */
  readonly status: number;
  readonly text: string;
}

export interface HostileLoad {
  readonly url: string;
  readonly key: string;
  readonly seed: number;
  readonly seconds: number;
}

const OpenApi = Type.Object({
  paths: Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown())),
});
const SENDERS = 3;
const STALLED = 40;
const STREAM_TRIES = 60;

/**
 * Bodies of every kind and size for every route with a body, with stalled requests and junk
 * handshakes beside them.
 */
export async function sendHostileLoad(load: HostileLoad): Promise<readonly Sent[]> {
  const paths = await writingPaths(load);
  const until = Date.now() + load.seconds * 1000;
  const stalled = Array.from({ length: STALLED }, () => stall(load));
  const handshakes = Array.from({ length: STREAM_TRIES }, () => tryStream(load));
  const sent = await Promise.all(
    Array.from({ length: SENDERS }, (_, n) => sendUntil(load, paths, until, load.seed + n)),
  );
  await Promise.all(handshakes);
  for (const { socket } of stalled) socket.destroy();
  return sent.flat();
}

interface Target {
  readonly method: string;
  readonly path: string;
}

async function writingPaths({ url }: HostileLoad): Promise<Target[]> {
  const text = await (await fetch(`${url}/openapi.json`)).text();
  const { paths } = Parse(OpenApi, JSON.parse(text));
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations)
      .filter((method) => method === 'post' || method === 'patch')
      .map((method) => ({ method: method.toUpperCase(), path: path.replace('{id}', 'dec_1') })),
  );
}

/** Sends every kind of body to every path in random order, repeatedly, until the time is up. */
async function sendUntil(
  load: HostileLoad,
  paths: readonly Target[],
  until: number,
  seed: number,
): Promise<Sent[]> {
  const random = randomOf(seed);
  const sent: Sent[] = [];
  while (Date.now() < until) {
    const target = pick(paths, random);
    const body = pick(HOSTILE_BODIES, random);
    const most = target.path.endsWith('/batch') ? LIMITS.batchBodyBytes : LIMITS.bodyBytes;
    // As many small ones as large ones.
    const bytes = Math.floor(2 ** (random() * Math.log2(most)));
    sent.push(await send(load, target, body, bytes, random));
  }
  return sent;
}

function pick<Item>(items: readonly Item[], random: Random): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('there is nothing to choose from');
  return item;
}

async function send(
  { url, key }: HostileLoad,
  { method, path }: Target,
  { name, make }: HostileBody,
  bytes: number,
  random: Random,
): Promise<Sent> {
  const body = make(bytes, random);
  const what = `${name}, ${body.length} bytes, to ${method} ${path}`;
  const at = Date.now();
  const headers = { 'x-ledger-key': key, 'content-type': 'application/json' };
  const answer = await fetch(`${url}${path}`, { method, headers, body }).then(
    async (response) => ({ status: response.status, text: await response.text() }),
    (error: unknown) => ({ status: 0, text: String(error) }),
  );
  return { what, at, ms: Date.now() - at, ...answer };
}

/** Announces the largest batch, sends nearly all of it, then stalls. */
function stall({ url, key }: HostileLoad) {
  const head = [
    'POST /api/v1/decisions/batch HTTP/1.1',
    ...['Host: a', 'Content-Type: application/json', `X-Ledger-Key: ${key}`],
    `Content-Length: ${LIMITS.batchBodyBytes}`,
  ];
  const connection = openRaw(Number(new URL(url).port), `${head.join('\r\n')}\r\n\r\n`);
  connection.socket.setTimeout(0);
  connection.socket.write(Buffer.alloc(LIMITS.batchBodyBytes - 1, ' '));
  connection.ended.catch(() => undefined);
  return connection;
}

function tryStream({ url }: HostileLoad): Promise<unknown> {
  const key = formatKey('live', randomBytes(16).toString('hex'));
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/ws/v1/stream`, {
    headers: { 'x-ledger-key': key },
  });
  return new Promise((resolve) => socket.once('error', resolve).once('open', resolve));
}
