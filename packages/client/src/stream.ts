import { type LedgerEvent, readEvent } from './event.js';
import {
  openGlobal,
  platformRandom,
  platformTimers,
  type StreamSocket,
  type StreamTimers,
} from './platform.js';

export type { LedgerEvent } from './event.js';
export type { StreamSocket, StreamTimers } from './platform.js';

export interface LedgerStreamOptions {
  /** URL of the service, such as `https://ledger.example.com`; a path prefix is kept. */
  readonly url: string;
  /** Called before each connection, because a ticket is valid once. */
  readonly credential: () => Promise<{ readonly key: string } | { readonly ticket: string }>;
  /** Only events of these types. */
  readonly types?: readonly string[];
  /** Only events about decisions of this agent. */
  readonly agentId?: string;
  /** The `position` of an earlier stream, to continue after it. */
  readonly after?: string | undefined;
  /** Opens a WebSocket; default: the global one. */
  readonly open?: (url: string) => StreamSocket;
  /** Called when a connection failed, with the reason and the delay (ms) before the next one. */
  readonly onTrouble?: (reason: string, waitMs: number) => void;
  /** Called when a connection delivers its first frame, a heartbeat included. */
  readonly onConnect?: () => void;
  readonly timers?: StreamTimers;
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  readonly random?: () => number;
}

/**
 * The service ended the stream for a reason that a retry does not resolve.
 *
 * @example
 * ```ts
 * import { LedgerStream, StreamEndedError } from '@decision-ledger/client/stream';
 *
 * async function follow(stream: LedgerStream) {
 *   try {
 *     for await (const event of stream) console.log(event.type);
 *   } catch (error) {
 *     if (error instanceof StreamEndedError) console.error(error.code, error.message);
 *   }
 * }
 * ```
 */
export class StreamEndedError extends Error {
  override readonly name = 'StreamEndedError';

  /** @param code close code (RFC 6455, 7.4) */
  constructor(
    readonly code: number,
    reason: string,
  ) {
    super(`the stream was ended with code ${code}: ${reason}`);
  }
}

const PATH = 'ws/v1/stream';
const STALE_MS = 90_000;
const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 30_000;
/** Maximum number of buffered events; beyond it the client disconnects until they are consumed. */
const MAX_WAITING = 10_000;
/** Close codes after which a retry is pointless: an expired key or history, or a protocol violation. */
const FINAL = new Set([1003, 1008, 1009, 4001, 4009]);

/**
 * The events of a ledger, each once and in order, across reconnections. It connects when iteration
 * starts, and ends with `close` or with an error that a retry does not resolve.
 *
 * @example
 * ```ts
 * import { LedgerStream } from '@decision-ledger/client/stream';
 *
 * const stream = new LedgerStream({
 *   url: 'https://ledger.example.com',
 *   credential: async () => ({ key: process.env.LEDGER_KEY ?? '' }),
 *   types: ['decision.created'],
 * });
 * for await (const event of stream) console.log(event.seq, event.data, stream.position);
 * ```
 */
export class LedgerStream implements AsyncIterableIterator<LedgerEvent> {
  readonly #options: LedgerStreamOptions;
  readonly #timers: StreamTimers;
  readonly #waiting: LedgerEvent[] = [];
  /** The last received id, at which the next connection continues. */
  #arrived: string | undefined;
  #position: string | undefined;
  #socket: StreamSocket | null = null;
  #stopTimer: () => void = () => undefined;
  #tries = 0;
  /** Whether the connection has received a frame. */
  #hasFrame = false;
  #isStarted = false;
  #isFull = false;
  #end: { readonly error: Error | null } | null = null;
  #resolveWaiter: (() => void) | null = null;
  /** Serialises calls of `next`, so that events are delivered in order. */
  #lastNext: Promise<unknown> = Promise.resolve();

  constructor(options: LedgerStreamOptions) {
    this.#options = options;
    this.#timers = options.timers ?? platformTimers;
    this.#arrived = options.after;
    this.#position = options.after;
  }

  /** The position of the last consumed event. Store it to continue later. */
  get position(): string | undefined {
    return this.#position;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** @throws StreamEndedError */
  next(): Promise<IteratorResult<LedgerEvent, undefined>> {
    if (!this.#isStarted) this.#start();
    const taken = this.#lastNext.then(() => this.#take());
    this.#lastNext = taken.catch(() => undefined);
    return taken;
  }

  return(): Promise<IteratorResult<LedgerEvent, undefined>> {
    this.close();
    return Promise.resolve({ done: true, value: undefined });
  }

  /** Ends the stream; buffered events are dropped. */
  close(): void {
    this.#waiting.length = 0;
    this.#finish(null);
  }

  #start(): void {
    this.#isStarted = true;
    if (this.#end === null) void this.#connect();
  }

  async #take(): Promise<IteratorResult<LedgerEvent, undefined>> {
    for (;;) {
      const event = this.#waiting.shift();
      if (event !== undefined) return this.#deliver(event);
      if (this.#end?.error) throw this.#end.error;
      if (this.#end !== null) return { done: true, value: undefined };
      await new Promise<void>((resolve) => {
        this.#resolveWaiter = resolve;
      });
    }
  }

  #deliver(event: LedgerEvent): IteratorResult<LedgerEvent, undefined> {
    this.#position = event.id;
    if (this.#isFull && this.#waiting.length === 0) {
      this.#isFull = false;
      void this.#connect();
    }
    return { done: false, value: event };
  }

  async #connect(): Promise<void> {
    const { credential, open = openGlobal } = this.#options;
    let given: Awaited<ReturnType<typeof credential>>;
    try {
      given = await credential();
    } catch (error) {
      this.#retry(`there is no key or ticket: ${messageOf(error)}`);
      return;
    }
    if (this.#end !== null) return;
    try {
      this.#attach(open(this.#address(given)));
    } catch (error) {
      // A local error, which a retry would repeat.
      this.#finish(error instanceof Error ? error : new Error(messageOf(error)));
    }
  }

  #address(credential: Readonly<Record<string, string>>): string {
    const { url, types, agentId } = this.#options;
    const address = streamAddress(url);
    const parameters = {
      ...credential,
      ...(types !== undefined && { types: types.join(',') }),
      ...(agentId !== undefined && { agent_id: agentId }),
      ...(this.#arrived !== undefined && { after: this.#arrived }),
    };
    for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
    return address.href;
  }

  #attach(socket: StreamSocket): void {
    this.#socket = socket;
    this.#hasFrame = false;
    this.#watch(socket);
    // The close event that follows an error reports it.
    socket.addEventListener('error', () => undefined);
    socket.addEventListener('message', ({ data }) => {
      if (this.#socket === socket) this.#receive(socket, data);
    });
    socket.addEventListener('close', ({ code, reason }) => {
      if (this.#socket !== socket) return;
      this.#socket = null;
      if (FINAL.has(code)) this.#finish(new StreamEndedError(code, reason));
      else this.#retry(`the connection ended with code ${code}: ${reason}`);
    });
  }

  #receive(socket: StreamSocket, data: unknown): void {
    const event = readEvent(data);
    if (event === null) return;
    // The first frame arrives even on connections that fail, so only the second resets the backoff.
    if (this.#hasFrame) this.#tries = 0;
    else this.#options.onConnect?.();
    this.#hasFrame = true;
    this.#watch(socket);
    this.#arrived = event.id;
    if (event.type === 'heartbeat') {
      if (this.#waiting.length === 0) this.#position = event.id;
      return;
    }
    this.#waiting.push(event);
    this.#wake();
    if (this.#waiting.length < MAX_WAITING) return;
    this.#isFull = true;
    this.#disconnect();
  }

  /** A connection without data for 90 seconds is considered broken. */
  #watch(socket: StreamSocket): void {
    this.#stopTimer();
    this.#stopTimer = this.#timers.after(STALE_MS, () => {
      if (this.#socket !== socket) return;
      this.#disconnect();
      this.#retry(`no data for ${STALE_MS / 1000} seconds`);
    });
  }

  /** Closes the connection and ignores its further events. */
  #disconnect(): void {
    this.#stopTimer();
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  #retry(reason: string): void {
    if (this.#end !== null) return;
    const { random = platformRandom, onTrouble } = this.#options;
    const max = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#tries);
    this.#tries += 1;
    this.#stopTimer();
    const waitMs = max / 2 + (random() * max) / 2;
    this.#stopTimer = this.#timers.after(waitMs, () => {
      void this.#connect();
    });
    onTrouble?.(reason, waitMs);
  }

  #finish(error: Error | null): void {
    this.#end ??= { error };
    this.#disconnect();
    this.#wake();
  }

  #wake(): void {
    this.#resolveWaiter?.();
    this.#resolveWaiter = null;
  }
}

/** @throws TypeError if the URL is invalid */
function streamAddress(url: string): URL {
  const base = new URL(url);
  base.protocol = base.protocol.replace('http', 'ws');
  if (!base.pathname.endsWith('/')) base.pathname += '/';
  return new URL(PATH, base);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
