import type {
  OpenedSession,
  Session,
  SessionBody,
  SessionPage,
  SessionQuery,
} from '../api/session.js';
import { type Api, segment } from '../api.js';
import type { CallOptions } from '../http.js';
import { type PagedList, pagedList } from '../paging.js';

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
