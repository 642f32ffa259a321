import type {
  Decision,
  DecisionInDetail,
  DecisionPage,
  DecisionQuery,
  Erasure,
  ErasureBody,
} from '../api/decision.js';
import type { Explanation, ExplanationQuery } from '../api/explanation.js';
import type {
  FinancialEvent,
  FinancialEventBody,
  FinancialEventPage,
  FinancialEventQuery,
  Movement,
  PairedMovement,
  RelatedEvent,
  ReportedEvent,
  SameMoneyPage,
  SameMoneyQuery,
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
  ): PagedList<FinancialEventPage, ReportedEvent> {
    return pagedList<FinancialEventPage, 'financial_events'>(
      this.#api,
      '/financial-events',
      'financial_events',
      query,
      options,
    );
  }

  /** An event with its movement, and what that is related to. */
  get(id: string, options: CallOptions = {}): Promise<RelatedEvent> {
    return this.#api.get(`/financial-events/${segment(id)}`, {}, options);
  }

  /** What an event and a decision have in common, in one sentence. */
  explain(id: string, query: ExplanationQuery, options: CallOptions = {}): Promise<Explanation> {
    return this.#api.get(`/financial-events/${segment(id)}/explanation`, query, options);
  }

  /** Events that may report the same money as others, which no rule can tell. */
  sameMoney(
    query: SameMoneyQuery = {},
    options: CallOptions = {},
  ): PagedList<SameMoneyPage, SameMoneyPage['reports'][number]> {
    return pagedList<SameMoneyPage, 'reports'>(
      this.#api,
      '/movements/same-money',
      'reports',
      query,
      options,
    );
  }

  /** Says that an event reports the same money as another one, or as each of several: it counts once. */
  pair(
    one: string,
    other: string | readonly string[],
    options: CallOptions = {},
  ): Promise<Movement> {
    return this.#api.post('/movements/pair', { reports: [one, other].flat() }, options);
  }

  /** Which event would lead, and what would count, if two events were paired. Changes nothing. */
  previewPair(one: string, other: string, options: CallOptions = {}): Promise<PairedMovement> {
    return this.#api.post('/movements/pair?dry_run=true', { reports: [one, other] }, options);
  }

  /**
   * Says that an event reports other money than another one, or than the rest of its movement.
   * @param from the id of the other one
   */
  part(id: string, from?: string, options: CallOptions = {}): Promise<Movement> {
    const body = { report: id, ...(from !== undefined && { from }) };
    return this.#api.post('/movements/part', body, options);
  }

  /** Takes back what was said of an event and another one, or each of several: whether they report the same money. */
  withdrawSameMoney(
    one: string,
    other: string | readonly string[],
    options: CallOptions = {},
  ): Promise<Movement> {
    return this.#api.post('/movements/withdraw', { reports: [one, other].flat() }, options);
  }

  /** Deletes an event softly: it stays in evidence. */
  delete(id: string, options: CallOptions = {}): Promise<FinancialEvent> {
    return this.#api.delete(`/financial-events/${segment(id)}`, options);
  }
}
