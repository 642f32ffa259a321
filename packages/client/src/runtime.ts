import type { OutboxFactory } from './outbox.js';
import type { Timers } from './platform.js';

/** The part of a `Response` that the client uses. */
export interface FetchResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** The part of a request that the client sets. */
export interface FetchRequest {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly signal: AbortSignal;
  readonly redirect: 'manual';
}

/** The part of the global `fetch` that the client uses. */
export type Fetch = (url: string, request: FetchRequest) => Promise<FetchResponse>;

/** A value that follows asynchronous calls, such as an AsyncLocalStorage. */
export interface AsyncContext<Value> {
  run<Result>(value: Value, work: () => Result): Result;
  getStore(): Value | undefined;
}

/** What the client needs from the platform that it runs on. */
export interface Runtime {
  /** ms since the epoch. */
  readonly now: () => number;
  readonly timers: Timers;
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  readonly random: () => number;
  readonly fetch: Fetch;
  /** An environment variable. */
  readonly variable: (name: string) => string | undefined;
  readonly byteLength: (text: string) => number;
  /** Hashes bytes, as hexadecimal. */
  readonly sha256: (bytes: Uint8Array) => string;
  /** Null where there are no files. */
  readonly openOutbox: OutboxFactory | null;
  readonly newContext: (<Value>() => AsyncContext<Value>) | null;
  /** Calls `work` when the process would end by itself. @returns a function that removes it */
  readonly beforeExit: (work: () => void) => () => void;
  /** Calls `work` at the first of the signals, and raises that signal again after it. */
  readonly onSignals: (signals: readonly string[], work: () => Promise<void>) => () => void;
}
