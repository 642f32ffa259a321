import type { Decision, DecisionPage, DecisionQuery } from '../api/decision.js';
import type { DecisionInDetail } from '../api/decision-view.js';
import type { Erasure, ErasureBody } from '../api/erasure.js';
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
