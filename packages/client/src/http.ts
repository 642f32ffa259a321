import { LedgerApiError, LedgerConnectionError } from './errors.js';
import { LIMITS } from './limits.js';
import { type AnswerHead, readError } from './read-error.js';
import { isFarOff, isTransient, parseRetryAfter, retryDelay } from './retry.js';
import type { FetchRequest, FetchResponse, Runtime } from './runtime.js';

/** Returns the API key or a session token, for each request: a rotated key needs no restart. */
export type KeySource = string | (() => string | Promise<string>);

/** What every call accepts. */
export interface CallOptions {
  /** Ends the call; it rejects with the reason of the signal. */
  readonly signal?: AbortSignal;
  /** For one attempt, in ms. Default: 30 s. */
  readonly timeoutMs?: number;
}

/** Options of `recordNow`. */
export interface RecordOptions extends CallOptions {
  /**
   * Asks for `signed_receipt`: the promise of the service, signed, that the decision is in its log. Keep it where the
   * operator of the service cannot reach it. Default: false.
   */
  readonly signedReceipt?: boolean;
}

export interface ApiRequest extends CallOptions {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below `/api/v1`, such as `/decisions`. */
  readonly path: string;
  readonly query?: object;
  /** The body as JSON. */
  readonly json?: string;
  /** The body as bytes. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
  /** With a key, the request may be repeated. GET may be repeated without one. */
  readonly idempotencyKey?: string;
  /** What the answer should be like (RFC 7240). */
  readonly prefer?: string;
  /** The change applies only to the state with this tag. */
  readonly ifMatch?: string;
  /** The answer is not in the envelope, as those about the service itself. */
  readonly isBare?: boolean;
}

/** A state, and what identifies it. */
export interface Tagged<Data> {
  readonly data: Data;
  readonly tag: string;
}

export interface HttpOptions {
  readonly url: string;
  readonly key: KeySource;
  readonly requestTimeoutMs: number;
}

/** Sends requests to the API, and turns failures into typed errors. */
export class Http {
  readonly #base: string;
  readonly #options: HttpOptions;
  readonly #runtime: Runtime;

  /** @throws TypeError if the URL is invalid or contains credentials */
  constructor(options: HttpOptions, runtime: Runtime) {
    const url = new URL(options.url);
    if (url.protocol !== 'https:' && url.protocol !== 'http:') {
      throw new TypeError('the option url must begin with https:// or http://');
    }
    if (url.username !== '' || url.password !== '' || url.search !== '') {
      throw new TypeError('the option url must have no user, password or query');
    }
    this.#base = `${url.origin}${url.pathname.replace(/\/+$/, '')}/api/v1`;
    this.#options = options;
    this.#runtime = runtime;
  }

  /**
   * Sends a request, and repeats it where that is harmless.
   * @returns `data` of the answer
   * @throws LedgerApiError, LedgerConnectionError, or the reason of the signal
   */
  async call<Data>(request: ApiRequest): Promise<Data> {
    return this.#repeat(request, async (signal) => {
      const response = await this.#fetch(request, signal);
      const body = await readJson(response, this.#runtime.now());
      // The contract guarantees the type; its parity with the service is tested there.
      return request.isBare === true ? body : Reflect.get(body, 'data');
    });
  }

  /** As `call`, with the tag of the state that is answered. */
  async callTagged<Data>(request: ApiRequest): Promise<Tagged<Data>> {
    return this.#repeat(request, async (signal) => {
      const response = await this.#fetch(request, signal);
      const data = Reflect.get(await readJson(response, this.#runtime.now()), 'data');
      const tag = response.headers.get('etag');
      if (tag === null) throw new LedgerConnectionError('the answer has no ETag');
      return { data, tag };
    });
  }

  /** The bytes of an answer, such as an archive. */
  async download(request: ApiRequest): Promise<Uint8Array> {
    return this.#repeat(request, async (signal) => {
      const response = await this.#fetch(request, signal);
      if (response.status !== 200) await readJson(response, this.#runtime.now());
      return new Uint8Array(await response.arrayBuffer());
    });
  }

  /** Sends a request once. @returns `data` of the answer */
  async send(request: ApiRequest): Promise<unknown> {
    return this.#once(request, async (signal) => {
      const response = await this.#fetch(request, signal);
      return Reflect.get(await readJson(response, this.#runtime.now()), 'data');
    });
  }

  async #repeat<Result>(
    request: ApiRequest,
    attempt: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const mayRepeat = request.method === 'GET' || request.idempotencyKey !== undefined;
    for (let failed = 1; ; failed += 1) {
      try {
        return await this.#once(request, attempt);
      } catch (error) {
        request.signal?.throwIfAborted();
        const isLast = failed >= LIMITS.callAttempts || isFarOff(error);
        if (!mayRepeat || !isTransient(error) || isLast) throw error;
        const delays = { firstMs: LIMITS.firstRetryMs, maxMs: LIMITS.maxRetryMs };
        await this.pause(retryDelay(failed, error, this.#runtime.random, delays), request.signal);
      }
    }
  }

  /** Waits; rejects with the reason of the signal. */
  async pause(ms: number, signal?: AbortSignal): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const stop = () => {
        cancel();
        reject(signal?.reason);
      };
      const cancel = this.#runtime.timers.after(
        ms,
        () => {
          signal?.removeEventListener('abort', stop);
          resolve();
        },
        true,
      );
      if (signal?.aborted) stop();
      else signal?.addEventListener('abort', stop, { once: true });
    });
  }

  /** One attempt within its time. */
  async #once<Result>(
    { signal, timeoutMs = this.#options.requestTimeoutMs }: CallOptions,
    attempt: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    signal?.throwIfAborted();
    const controller = new AbortController();
    const abort = () => controller.abort(signal?.reason);
    const late = new LedgerConnectionError(`the service did not answer within ${timeoutMs} ms`);
    const cancel = this.#runtime.timers.after(timeoutMs, () => controller.abort(late), true);
    signal?.addEventListener('abort', abort, { once: true });
    try {
      return await attempt(controller.signal);
    } catch (error) {
      if (controller.signal.aborted) throw controller.signal.reason;
      if (error instanceof LedgerApiError || error instanceof LedgerConnectionError) throw error;
      throw new LedgerConnectionError(`the request failed: ${describe(error)}`, { cause: error });
    } finally {
      cancel();
      signal?.removeEventListener('abort', abort);
    }
  }

  async #fetch(request: ApiRequest, signal: AbortSignal): Promise<FetchResponse> {
    const { key } = this.#options;
    const headers: Record<string, string> = {
      accept: 'application/json',
      'x-ledger-key': typeof key === 'string' ? key : await key(),
    };
    if (request.json !== undefined) headers['content-type'] = 'application/json';
    if (request.bytes !== undefined) headers['content-type'] = 'application/octet-stream';
    if (request.idempotencyKey !== undefined) headers['idempotency-key'] = request.idempotencyKey;
    if (request.prefer !== undefined) headers.prefer = request.prefer;
    if (request.ifMatch !== undefined) headers['if-match'] = request.ifMatch;
    return this.#runtime.fetch(`${this.#base}${request.path}${queryText(request.query)}`, {
      method: request.method,
      headers,
      ...bodyOf(request),
      signal,
      // A redirect would send the key to another address.
      redirect: 'manual',
    });
  }
}

function bodyOf({ json, bytes }: ApiRequest): Pick<FetchRequest, 'body'> {
  const body = json ?? bytes;
  return body === undefined ? {} : { body };
}

function queryText(query: object = {}): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) given.append(name, String(value));
  }
  return given.size === 0 ? '' : `?${given}`;
}

/** @throws LedgerApiError unless the status is 2xx; LedgerConnectionError if the body is cut */
async function readJson(response: FetchResponse, now: number): Promise<object> {
  const { status } = response;
  const text = await response.text();
  const body = parseObject(text);
  if (status >= 200 && status < 300) {
    if (body === null) throw new LedgerConnectionError('the answer ended within its body');
    return body;
  }
  throw errorOf(response, body, now);
}

function parseObject(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

function errorOf({ status, headers }: FetchResponse, body: object | null, now: number) {
  const head: AnswerHead = {
    status,
    requestId: headers.get('x-request-id'),
    retryAfterMs: parseRetryAfter(headers.get('retry-after'), now),
  };
  return readError(body === null ? null : Reflect.get(body, 'error'), head);
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // The fetch of Node.js names the reason only in the cause.
  const { cause } = error;
  return cause instanceof Error ? `${error.message} (${cause.message})` : error.message;
}
