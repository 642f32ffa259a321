import type { LedgerProblem } from './errors.js';
import type { KeySource } from './http.js';
import { LIMITS } from './limits.js';
import type { Mask } from './mask.js';
import type { OutboxOptions } from './outbox.js';
import type { Timers } from './platform.js';
import type { Fetch, Runtime } from './runtime.js';

/** The options of a client. */
export interface LedgerOptions {
  /** URL of the service, such as `https://ledger.example.com`; a path prefix is kept. */
  readonly url: string;
  /** The API key or a session token, or a function that returns it for each request. */
  readonly key: KeySource;
  /** A folder where decisions are kept until they are delivered. Node.js only. Default: none. */
  readonly outbox?: string | OutboxOptions;
  /** What is removed from decisions before they are queued, stored or sent. Default: nothing. */
  readonly mask?: Mask;
  /** Called for each problem. Default: a line on the console, at most one per kind and minute. */
  readonly onError?: (problem: LedgerProblem) => void;
  /** The longest time that a decision waits for others, in ms. Default: 1,000. */
  readonly lingerMs?: number;
  /** Decisions in a batch at most, from 1 to 100. Default: 100. */
  readonly maxBatch?: number;
  /** Decisions that wait in memory at most. Default: 10,000. */
  readonly maxQueued?: number;
  /** Bytes that wait in memory at most. Default: 32 MiB. */
  readonly maxQueuedBytes?: number;
  /** For one request, in ms. Default: 30,000. */
  readonly requestTimeoutMs?: number;
  /** The longest wait between attempts, in ms. Default: 30,000. */
  readonly maxRetryMs?: number;
  /** Signals at which to deliver what waits; then they are raised again. Default: none. */
  readonly signals?: readonly string[];
  /** Records nothing. Default: whether the environment variable LEDGER_DISABLED is `1` or `true`. */
  readonly disabled?: boolean;
  /** Default: the global `fetch`. */
  readonly fetch?: Fetch;
  readonly timers?: Timers;
  /** ms since the epoch. */
  readonly now?: () => number;
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  readonly random?: () => number;
}

/** The options with their defaults. */
export interface Settings {
  readonly lingerMs: number;
  readonly maxBatch: number;
  readonly maxQueued: number;
  readonly maxQueuedBytes: number;
  readonly requestTimeoutMs: number;
  readonly maxRetryMs: number;
  readonly isDisabled: boolean;
}

/** @throws TypeError that names an option that is not valid */
export function readSettings(options: LedgerOptions, runtime: Runtime): Settings {
  const { key } = options;
  if (typeof key !== 'function' && (typeof key !== 'string' || key === '')) {
    throw new TypeError('the option key must be an API key or a function that returns one');
  }
  return {
    lingerMs: numberOf(options, 'lingerMs', LIMITS.lingerMs, 0, 60_000),
    maxBatch: numberOf(options, 'maxBatch', LIMITS.batchDecisions, 1, LIMITS.batchDecisions),
    maxQueued: numberOf(options, 'maxQueued', LIMITS.queueDecisions, 1, 10_000_000),
    maxQueuedBytes: numberOf(options, 'maxQueuedBytes', LIMITS.queueBytes, 1024, 2 ** 40),
    requestTimeoutMs: numberOf(options, 'requestTimeoutMs', LIMITS.requestMs, 1, 3_600_000),
    maxRetryMs: numberOf(options, 'maxRetryMs', LIMITS.maxRetryMs, 1, 3_600_000),
    isDisabled: options.disabled ?? /^(1|true)$/i.test(runtime.variable('LEDGER_DISABLED') ?? ''),
  };
}

type NumberOption = Exclude<keyof Settings, 'isDisabled'>;

function numberOf(
  options: LedgerOptions,
  name: NumberOption,
  preset: number,
  min: number,
  max: number,
): number {
  const value = options[name] ?? preset;
  if (Number.isFinite(value) && value >= min && value <= max) return value;
  throw new TypeError(`the option ${name} must be a number from ${min} to ${max}`);
}

/** The runtime with the parts that the options replace. */
export function withOverrides(runtime: Runtime, options: LedgerOptions): Runtime {
  const { fetch, timers, now, random } = options;
  return {
    ...runtime,
    ...(fetch !== undefined && { fetch }),
    ...(timers !== undefined && { timers }),
    ...(now !== undefined && { now }),
    ...(random !== undefined && { random }),
  };
}
