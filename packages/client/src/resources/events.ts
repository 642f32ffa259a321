import type {
  FinancialEvent,
  FinancialEventBody,
  FinancialEventPage,
  FinancialEventQuery,
} from '../api/financial-event.js';
import { type Api, type CreateOptions, segment } from '../api.js';
import type { CallOptions } from '../http.js';
import { type PagedList, pagedList } from '../paging.js';

/** Financial events. */
export class FinancialEvents {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Records an event. */
  create(body: FinancialEventBody, options: CreateOptions = {}): Promise<FinancialEvent> {
    return this.#api.create('/financial-events', body, options);
  }

  /** Newest first. */
  list(
    query: FinancialEventQuery = {},
    options: CallOptions = {},
  ): PagedList<FinancialEventPage, FinancialEvent> {
    return pagedList<FinancialEventPage, 'financial_events'>(
      this.#api,
      '/financial-events',
      'financial_events',
      query,
      options,
    );
  }

  /** An event. */
  get(id: string, options: CallOptions = {}): Promise<FinancialEvent> {
    return this.#api.get(`/financial-events/${segment(id)}`, {}, options);
  }

  /** Deletes an event softly: it stays in evidence. */
  delete(id: string, options: CallOptions = {}): Promise<FinancialEvent> {
    return this.#api.delete(`/financial-events/${segment(id)}`, options);
  }
}
