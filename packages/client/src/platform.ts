/** Timers, replaceable in tests. */
export interface Timers {
  /**
   * @param keepsAlive whether the process stays alive for it; default: no
   * @returns a function that cancels the timer
   */
  after(ms: number, work: () => void, keepsAlive?: boolean): () => void;
}

/** The time of the platform, in ms since the epoch. */
export const platformNow = (): number => Date.now();

/** Makes unique idempotency keys: a random text of this client, and a number. */
export function keyMaker(): () => string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const prefix = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  let count = 0;
  return () => {
    count += 1;
    return `${prefix}-${count}`;
  };
}

/** A random number from 0 (inclusive) to 1 (exclusive). */
export function platformRandom(): number {
  const [bits = 0] = crypto.getRandomValues(new Uint32Array(1));
  return bits / 2 ** 32;
}

/** The required subset of WebSocket (RFC 6455), implemented by browsers, Node.js 22 and `ws`. */
export interface StreamSocket {
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(
    type: 'close',
    listener: (event: { readonly code: number; readonly reason: string }) => void,
  ): void;
  addEventListener(type: 'error', listener: () => void): void;
  close(): void;
}

/** Timers, replaceable in tests. */
export interface StreamTimers {
  /** @returns a function that cancels the timer */
  after(ms: number, work: () => void): () => void;
}

/** The timers of the platform. */
export const platformTimers: StreamTimers = {
  after(ms, work) {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
};

/**
 * Opens a connection with the global WebSocket.
 * @throws TypeError if the platform has none
 */
export function openGlobal(url: string): StreamSocket {
  const Socket: unknown = Reflect.get(globalThis, 'WebSocket');
  if (typeof Socket !== 'function') {
    throw new TypeError('there is no global WebSocket: pass one with the option `open`');
  }
  return Reflect.construct(Socket, [url]);
}
