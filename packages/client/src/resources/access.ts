import type {
  IssuedKey,
  Key,
  KeyBody,
  KeyPage,
  KeyQuery,
  OpenedSession,
  Session,
  SessionBody,
  SessionPage,
  SessionQuery,
} from '../api/access.js';
import { type Api, type CreateOptions, segment } from '../api.js';
import type { CallOptions } from '../http.js';
import { type PagedList, pagedList } from '../paging.js';

/** API keys. */
export class Keys {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Creates a key. Its secret is in this answer alone. */
  issue(body: KeyBody, options: CreateOptions = {}): Promise<IssuedKey> {
    return this.#api.create('/keys', body, options);
  }

  /** Newest first. */
  list(query: KeyQuery = {}, options: CallOptions = {}): PagedList<KeyPage, Key> {
    return pagedList<KeyPage, 'keys'>(this.#api, '/keys', 'keys', query, options);
  }

  /** Revokes a key at once. */
  revoke(id: string, options: CallOptions = {}): Promise<Key> {
    return this.#api.delete(`/keys/${segment(id)}`, options);
  }
}

/** Sessions of people: tokens for browsers, in place of keys. */
export class Sessions {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Opens a session. Its token is in this answer alone. */
  open(body: SessionBody, options: CallOptions = {}): Promise<OpenedSession> {
    return this.#api.post('/sessions', body, options);
  }

  /** Newest first. */
  list(query: SessionQuery = {}, options: CallOptions = {}): PagedList<SessionPage, Session> {
    return pagedList<SessionPage, 'sessions'>(this.#api, '/sessions', 'sessions', query, options);
  }

  /** Ends a session at once. */
  revoke(id: string, options: CallOptions = {}): Promise<Session> {
    return this.#api.delete(`/sessions/${segment(id)}`, options);
  }
}
