import type { DecisionBody, DecisionReceipt, RefusedDecision } from './api/decision.js';
import { LedgerClient } from './ledger.js';
import type { LedgerOptions } from './options.js';
import type { Fetch, FetchRequest, FetchResponse } from './runtime.js';
import { TestUploads } from './test-uploads.js';
import { webRuntime } from './web-runtime.js';

/** A decision as the ledger in memory keeps it. */
export interface TestDecision extends DecisionBody, DecisionReceipt {
  readonly timestamp: string;
}

/** How many of the next requests fail, and how. */
export interface TestFailure {
  readonly requests: number;
  /** HTTP status; `network` breaks the connection. */
  readonly status: number | 'network';
  /** Seconds. */
  readonly retryAfter?: number;
}

interface Failure {
  readonly code: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Thrown where the connection breaks. */
const NETWORK = 'network';
const NO_HASH = '0'.repeat(64);

/**
 * A ledger in memory, for tests of an application: it takes decisions like the service, with receipts
 * and idempotency keys, and keeps nothing else. Its chain is numbered, but its hashes prove nothing.
 *
 * @example
 * ```ts
 * import { TestLedger } from '@decision-ledger/client/testing';
 *
 * const ledger = new TestLedger();
 * ledger.record({
 *   agent_id: 'refund-bot',
 *   action_type: 'refund',
 *   inputs: { order: 'A-1041' },
 *   outputs: { approved: true },
 *   confidence: 0.93,
 * });
 * await ledger.flush();
 * ledger.recorded.map(({ agent_id, seq }) => [agent_id, seq]); // => [['refund-bot', 1]]
 * ```
 */
export class TestLedger extends LedgerClient {
  readonly #service: TestService;

  /** @param options like those of `Ledger`; url and key have a default */
  constructor(options: Partial<LedgerOptions> = {}) {
    const service = new TestService(options.now ?? webRuntime.now);
    const defaults = { url: 'http://ledger.test', key: 'lg_test_memory', fetch: service.fetch };
    super({ ...defaults, ...options }, webRuntime);
    this.#service = service;
  }

  /** The decisions in the ledger, in the order of the chain. */
  get recorded(): readonly TestDecision[] {
    return this.#service.recorded;
  }

  /** Lets the next requests fail, to test what the application does in an outage. */
  failNext(failure: TestFailure): void {
    this.#service.failNext(failure);
  }
}

/**
 * The service in memory behind `TestLedger`, for clients that are built by the application.
 *
 * @example
 * ```ts
 * import { Ledger } from '@decision-ledger/client';
 * import { TestService } from '@decision-ledger/client/testing';
 *
 * const service = new TestService();
 * const ledger = new Ledger({ url: 'http://ledger.test', key: 'lg_test_1', fetch: service.fetch });
 * const { seq } = await ledger.recordNow({
 *   agent_id: 'router',
 *   action_type: 'route',
 *   inputs: {},
 *   outputs: { team: 'billing' },
 *   confidence: 0.7,
 * });
 * [seq, service.recorded.length]; // => [1, 1]
 * ```
 */
export class TestService {
  /** The decisions in the ledger, in the order of the chain. */
  readonly recorded: TestDecision[] = [];
  readonly #now: () => number;
  readonly #uploads = new TestUploads();
  readonly #byKey = new Map<string, { readonly text: string; readonly decision: TestDecision }>();
  #failure: TestFailure | null = null;
  #failuresLeft = 0;

  constructor(now: () => number = webRuntime.now) {
    this.#now = now;
  }

  /** Lets the next requests fail. */
  failNext(failure: TestFailure): void {
    this.#failure = failure;
    this.#failuresLeft = failure.requests;
  }

  /** The option `fetch` of a client. */
  readonly fetch: Fetch = async (url, request) => {
    await Promise.resolve();
    request.signal.throwIfAborted();
    if (this.#failure !== null && this.#failuresLeft > 0) {
      this.#failuresLeft -= 1;
      return this.#fail(this.#failure);
    }
    return this.#answer(new URL(url), request);
  };

  #fail({ status, retryAfter }: TestFailure): FetchResponse {
    if (status === NETWORK) throw new TypeError('fetch failed');
    const error = { code: CODES[status] ?? 'internal_error', message: 'a test asked for it' };
    return respond(status, { error }, retryAfter);
  }

  #answer(url: URL, request: FetchRequest): FetchResponse {
    const { method, body = '{}', headers } = request;
    const path = url.pathname;
    if (/\/uploads(?:\/|$)/.test(path)) {
      const data = this.#uploads.answer(url, request);
      if (data !== null) return this.#created(data);
    }
    if (method !== 'POST') return refuse(404, { code: 'not_found', message: 'no such endpoint' });
    const value: unknown = JSON.parse(String(body));
    if (path.endsWith('/decisions/batch')) {
      return this.#takeBatch(membersOf(value, 'decisions'), headers.prefer === 'handling=lenient');
    }
    if (!path.endsWith('/decisions')) {
      return refuse(404, { code: 'not_found', message: 'no such endpoint' });
    }
    const taken = this.#take([this.#uploads.resolve(value)], [headers['idempotency-key']], '');
    return 'code' in taken ? refuse(422, taken) : this.#created(taken.receipts[0]);
  }

  #takeBatch(decisions: unknown, isLenient: boolean): FetchResponse {
    const given: readonly unknown[] = Array.isArray(decisions) ? decisions : [];
    const list = given.map((one) => this.#uploads.resolve(one));
    if (isLenient) return this.#takeLeniently(list);
    const keys = list.map((one) => membersOf(one, 'idempotency_key'));
    const taken = this.#take(list, keys, 'decisions');
    if ('code' in taken) return refuse(taken.code === 'validation_error' ? 422 : 409, taken);
    return this.#created({ decisions: taken.receipts });
  }

  #takeLeniently(list: readonly unknown[]): FetchResponse {
    const receipts: DecisionReceipt[] = [];
    const refused: RefusedDecision[] = [];
    for (const [index, decision] of list.entries()) {
      const key = membersOf(decision, 'idempotency_key');
      const taken = this.#take([decision], [key], 'decisions', index);
      if ('code' in taken) refused.push({ index, error: taken });
      else receipts.push(...taken.receipts);
    }
    const [first] = refused;
    if (receipts.length > 0 || first === undefined) {
      return this.#created({ decisions: receipts, refused });
    }
    const details = { ...first.error.details, refused };
    return refuse(first.error.code === 'validation_error' ? 422 : 409, { ...first.error, details });
  }

  #created(data: unknown): FetchResponse {
    const meta = { request_id: 'req_test', timestamp: new Date(this.#now()).toISOString() };
    return respond(201, { data, meta });
  }

  /** All of them, or none. */
  #take(
    list: readonly unknown[],
    keys: readonly unknown[],
    path: string,
    from = 0,
  ): Failure | { readonly receipts: readonly DecisionReceipt[] } {
    const fields: Record<string, string[]> = {};
    for (const [index, decision] of list.entries()) {
      const place = path === '' ? '' : `${path}[${from + index}].`;
      for (const problem of problemsOf(decision)) fields[place + problem] = ['is not valid'];
    }
    if (Object.keys(fields).length > 0) {
      return { code: 'validation_error', message: 'the request is not valid', details: { fields } };
    }
    const used = keys.findIndex((key, index) => this.#conflicts(key, list[index]));
    if (used !== -1) {
      const named = {
        [`${path}[${from + used}].idempotency_key`]: ['is used by another decision'],
      };
      return { code: 'idempotency_conflict', message: 'used before', details: { fields: named } };
    }
    return { receipts: list.map((decision, index) => this.#append(decision, keys[index])) };
  }

  #conflicts(key: unknown, decision: unknown): boolean {
    const known = typeof key === 'string' ? this.#byKey.get(key) : undefined;
    return known !== undefined && known.text !== JSON.stringify(decision);
  }

  #append(decision: unknown, key: unknown): DecisionReceipt & { replayed: boolean } {
    const known = typeof key === 'string' ? this.#byKey.get(key) : undefined;
    if (known !== undefined) return { ...receiptOf(known.decision), replayed: true };
    if (!isDecision(decision)) throw new TypeError('not a decision');
    const seq = this.recorded.length + 1;
    const created_at = new Date(this.#now()).toISOString();
    const added: TestDecision = {
      timestamp: created_at,
      ...decision,
      decision_id: `dec_${String(seq).padStart(26, '0')}`,
      ...{ seq, created_at, hash: seq.toString(16).padStart(64, '0') },
      prev_hash: this.recorded.at(-1)?.hash ?? NO_HASH,
    };
    this.recorded.push(added);
    if (typeof key === 'string') {
      this.#byKey.set(key, { text: JSON.stringify(decision), decision: added });
    }
    return { ...receiptOf(added), replayed: false };
  }
}

const CODES: Readonly<Record<number, string>> = {
  401: 'unauthorized',
  403: 'forbidden',
  408: 'request_timeout',
  429: 'rate_limited',
  503: 'unavailable',
};

function receiptOf({ decision_id, seq, timestamp, created_at, hash, prev_hash }: TestDecision) {
  return { decision_id, seq, timestamp, created_at, hash, prev_hash };
}

function membersOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** The names of required fields that are missing or wrong. */
function problemsOf(decision: unknown): string[] {
  const field = (name: string) => membersOf(decision, name);
  const isObject = (name: string) => typeof field(name) === 'object' && field(name) !== null;
  const confidence = field('confidence');
  const isShare = typeof confidence === 'number' && confidence >= 0 && confidence <= 1;
  return [
    ...['agent_id', 'action_type'].filter((name) => typeof field(name) !== 'string'),
    ...['inputs', 'outputs'].filter((name) => !isObject(name)),
    ...(isShare ? [] : ['confidence']),
  ];
}

function isDecision(value: unknown): value is DecisionBody {
  return problemsOf(value).length === 0;
}

function refuse(status: number, error: Failure): FetchResponse {
  return respond(status, { error });
}

function respond(status: number, body: object, retryAfter?: number): FetchResponse {
  const text = JSON.stringify(body);
  return {
    status,
    headers: { get: (name) => (name === 'retry-after' ? (retryAfter?.toString() ?? null) : null) },
    text: () => Promise.resolve(text),
    arrayBuffer: () => Promise.resolve(new TextEncoder().encode(text).slice().buffer),
  };
}
