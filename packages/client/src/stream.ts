import { type LedgerEvent, readEvent } from './event.js';

/** The part of a WebSocket (RFC 6455) that is needed: that of browsers, of Node.js 22 and of `ws` have it. */
export interface StreamSocket {
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(
    type: 'close',
    listener: (event: { readonly code: number; readonly reason: string }) => void,
  ): void;
  addEventListener(type: 'error', listener: () => void): void;
  close(): void;
}

/** Timers, for tests to take the place of those of the platform. */
export interface StreamTimers {
  /** @returns what takes it back */
  after(ms: number, work: () => void): () => void;
}

export interface LedgerStreamOptions {
  /** Address of the service, such as `https://ledger.example.com`; a path before the API's own is kept. */
  readonly url: string;
  /** Asked before each connection, since a ticket is good once. */
  readonly credential: () => Promise<{ readonly key: string } | { readonly ticket: string }>;
  /** Only events of these types. */
  readonly types?: readonly string[];
  /** Only events about decisions of this agent. */
  readonly agentId?: string;
  /** The `position` of an earlier stream: go on behind it. */
  readonly after?: string | undefined;
  /** Opens a WebSocket; the global one unless told. */
  readonly open?: (url: string) => StreamSocket;
  /** Told why a connection was lost or could not be had, and how long it is waited for the next one (ms). */
  readonly onTrouble?: (reason: string, waitMs: number) => void;
  readonly timers?: StreamTimers;
  /** From 0 to below 1. */
  readonly random?: () => number;
}

/** The service ended the stream for a reason that another try does not mend. */
export class StreamEndedError extends Error {
  override readonly name = 'StreamEndedError';

  /** @param code of the close (RFC 6455, 7.4) */
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
const LONGEST_WAIT_MS = 30_000;
/** Events that wait to be taken; beyond them the connection is given up until they are. */
const MAX_WAITING = 10_000;
/** The key or the history has ended, or this client did what it must not: another try would end the same. */
const FINAL = new Set([1003, 1008, 1009, 4001, 4009]);

/**
 * The events of a ledger, each once and in order, over as many connections as it takes. It connects
 * when it is iterated over, and ends with `close`, or with an error that another try does not mend.
 */
export class LedgerStream implements AsyncIterableIterator<LedgerEvent> {
  readonly #options: LedgerStreamOptions;
  readonly #timers: StreamTimers;
  readonly #waiting: LedgerEvent[] = [];
  /** The last id that arrived: where the next connection goes on. */
  #arrived: string | undefined;
  #position: string | undefined;
  #socket: StreamSocket | null = null;
  #stopTimer: () => void = () => undefined;
  #tries = 0;
  /** Something has come over the connection. */
  #hasFrame = false;
  #isStarted = false;
  #isFull = false;
  #end: { readonly error: Error | null } | null = null;
  #rouse: (() => void) | null = null;
  /** Settles once all who have asked for an event so far have theirs: one waits at a time, in order. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: LedgerStreamOptions) {
    this.#options = options;
    this.#timers = options.timers ?? platformTimers;
    this.#arrived = options.after;
    this.#position = options.after;
  }

  /** Behind the last event that was taken: what to keep, and to go on from another time. */
  get position(): string | undefined {
    return this.#position;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** @throws StreamEndedError */
  next(): Promise<IteratorResult<LedgerEvent, undefined>> {
    if (!this.#isStarted) this.#start();
    const taken = this.#turn.then(() => this.#take());
    this.#turn = taken.catch(() => undefined);
    return taken;
  }

  return(): Promise<IteratorResult<LedgerEvent, undefined>> {
    this.close();
    return Promise.resolve({ done: true, value: undefined });
  }

  /** Ends the stream; events that have not been taken are dropped. */
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
      if (event !== undefined) return this.#give(event);
      if (this.#end?.error) throw this.#end.error;
      if (this.#end !== null) return { done: true, value: undefined };
      await new Promise<void>((resolve) => {
        this.#rouse = resolve;
      });
    }
  }

  #give(event: LedgerEvent): IteratorResult<LedgerEvent, undefined> {
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
      // It is not the service that refuses: the same would come of another try.
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
    // What comes of an error is told by the close that follows it.
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
    // The first frame comes at once, whatever becomes of the connection.
    if (this.#hasFrame) this.#tries = 0;
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
    this.#leave();
  }

  /** A connection that says nothing for 90 seconds is taken for broken. */
  #watch(socket: StreamSocket): void {
    this.#stopTimer();
    this.#stopTimer = this.#timers.after(STALE_MS, () => {
      if (this.#socket !== socket) return;
      this.#leave();
      this.#retry(`nothing came for ${STALE_MS / 1000} seconds`);
    });
  }

  /** Lets go of the connection, whatever it still says. */
  #leave(): void {
    this.#stopTimer();
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  #retry(reason: string): void {
    if (this.#end !== null) return;
    const { random = platformRandom, onTrouble } = this.#options;
    const most = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#tries);
    this.#tries += 1;
    this.#stopTimer();
    const waitMs = most / 2 + (random() * most) / 2;
    this.#stopTimer = this.#timers.after(waitMs, () => {
      void this.#connect();
    });
    onTrouble?.(reason, waitMs);
  }

  #finish(error: Error | null): void {
    this.#end ??= { error };
    this.#leave();
    this.#wake();
  }

  #wake(): void {
    this.#rouse?.();
    this.#rouse = null;
  }
}

/** @throws TypeError where it is no address */
function streamAddress(url: string): URL {
  const base = new URL(url);
  base.protocol = base.protocol.replace('http', 'ws');
  if (!base.pathname.endsWith('/')) base.pathname += '/';
  return new URL(PATH, base);
}

const platformTimers: StreamTimers = {
  after(ms, work) {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
};

function platformRandom(): number {
  const [bits = 0] = crypto.getRandomValues(new Uint32Array(1));
  return bits / 2 ** 32;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function openGlobal(url: string): StreamSocket {
  const Socket: unknown = Reflect.get(globalThis, 'WebSocket');
  if (typeof Socket !== 'function') {
    throw new TypeError('there is no WebSocket here: give one with the option `open`');
  }
  return Reflect.construct(Socket, [url]);
}
