import type { CallOptions, Http, Tagged } from './http.js';

/** Options of a call that creates something. */
export interface CreateOptions extends CallOptions {
  /** Makes a repeated call harmless. Default: a random one, which covers the attempts of this call. */
  readonly idempotencyKey?: string;
}

/** Options of a call that changes what others may have changed. */
export interface ChangeOptions extends CallOptions {
  /** The tag of the state that the change was made for. Another state is not changed. */
  readonly ifMatch?: string;
}

/** Calls of the API by their verbs. */
export class Api {
  readonly #http: Http;
  readonly #newKey: () => string;

  constructor(http: Http, newKey: () => string) {
    this.#http = http;
    this.#newKey = newKey;
  }

  get<Data>(path: string, query: object, options: CallOptions): Promise<Data> {
    return this.#http.call({ ...options, method: 'GET', path, query });
  }

  getTagged<Data>(path: string, options: CallOptions): Promise<Tagged<Data>> {
    return this.#http.callTagged({ ...options, method: 'GET', path });
  }

  /** An answer about the service itself, which has no envelope. */
  getBare<Data>(path: string, options: CallOptions): Promise<Data> {
    return this.#http.call({ ...options, method: 'GET', path, isBare: true });
  }

  /** A request that may be repeated under its idempotency key. */
  create<Data>(path: string, body: object, options: CreateOptions): Promise<Data> {
    const { idempotencyKey = this.#newKey(), ...rest } = options;
    return this.#http.call({ ...rest, ...bodyOf('POST', path, body), idempotencyKey });
  }

  /** A request that is sent once: a repetition might be refused although the first was done. */
  post<Data>(path: string, body: object | null, options: CallOptions): Promise<Data> {
    return this.#http.call({ ...options, ...bodyOf('POST', path, body) });
  }

  patch<Data>(path: string, body: object, options: ChangeOptions): Promise<Data> {
    return this.#http.call({ ...options, ...bodyOf('PATCH', path, body) });
  }

  /** Bytes that are sent once: the offset in the query says whether they are still wanted. */
  append<Data>(
    path: string,
    query: object,
    bytes: Uint8Array<ArrayBuffer>,
    options: CallOptions,
  ): Promise<Data> {
    return this.#http.call({ ...options, method: 'PATCH', path, query, bytes });
  }

  delete<Data>(path: string, options: CallOptions): Promise<Data> {
    return this.#http.call({ ...options, method: 'DELETE', path });
  }

  download(path: string, options: CallOptions): Promise<Uint8Array> {
    return this.#http.download({ ...options, method: 'GET', path });
  }

  pause(ms: number, signal?: AbortSignal): Promise<void> {
    return this.#http.pause(ms, signal);
  }
}

function bodyOf<Method extends 'POST' | 'PATCH'>(
  method: Method,
  path: string,
  body: object | null,
) {
  return { method, path, ...(body !== null && { json: JSON.stringify(body) }) };
}

/** A segment of a path: an id may come from anywhere. */
export function segment(id: string): string {
  return encodeURIComponent(id);
}
