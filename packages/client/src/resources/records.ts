import type {
  Decision,
  DecisionInDetail,
  DecisionPage,
  DecisionQuery,
  Erasure,
  ErasureBody,
} from '../api/decision.js';
import type {
  FinancialEvent,
  FinancialEventBody,
  FinancialEventPage,
  FinancialEventQuery,
} from '../api/financial-event.js';
import type { Liability, LiabilityHistory, LiabilityHistoryQuery } from '../api/liability.js';
import { type Api, type CreateOptions, segment } from '../api.js';
import type { CallOptions } from '../http.js';
import { type PagedList, pagedList } from '../paging.js';

/** Decisions in the ledger. Record them with `Ledger.record`. */
export class Decisions {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Newest first. `metadata.<key>` filters by metadata. */
  list(query: DecisionQuery = {}, options: CallOptions = {}): PagedList<DecisionPage, Decision> {
    return pagedList<DecisionPage, 'decisions'>(
      this.#api,
      '/decisions',
      'decisions',
      query,
      options,
    );
  }

  /** A decision with its estimate and its links. */
  get(id: string, options: CallOptions = {}): Promise<DecisionInDetail> {
    return this.#api.get(`/decisions/${segment(id)}`, {}, options);
  }

  /** Erases payload fields for good; the chain stays valid. */
  erase(id: string, body: ErasureBody, options: CreateOptions = {}): Promise<Erasure> {
    return this.#api.create(`/decisions/${segment(id)}/erase`, body, options);
  }

  /** The estimates of a decision, newest first. */
  estimates(
    id: string,
    query: LiabilityHistoryQuery = {},
    options: CallOptions = {},
  ): PagedList<LiabilityHistory, Liability> {
    return pagedList<LiabilityHistory, 'estimates'>(
      this.#api,
      `/decisions/${segment(id)}/liability`,
      'estimates',
      query,
      options,
    );
  }
}

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
