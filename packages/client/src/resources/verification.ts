import type {
  ActivityChainVerification,
  ChainVerificationQuery,
  DecisionChainVerification,
  LastVerifications,
} from '../api/chain.js';
import type { Api } from '../api.js';
import type { CallOptions } from '../http.js';
import type { Anchor } from '../receipts.js';

/** Verification of the chains. */
export class Verification {
  readonly #api: Api;
  readonly #anchor: () => Anchor | null;

  constructor(api: Api, anchor: () => Anchor | null) {
    this.#api = api;
    this.#anchor = anchor;
  }

  /**
   * Verifies the chain of decisions. Unless the query names another record, the chain must contain the
   * last receipt of this client: without one, a cut end cannot be seen.
   */
  decisions(
    query: ChainVerificationQuery = {},
    options: CallOptions = {},
  ): Promise<DecisionChainVerification> {
    const anchor = query.expect_seq === undefined ? this.#anchor() : null;
    const expected = anchor === null ? {} : { expect_seq: anchor.seq, expect_hash: anchor.hash };
    return this.#api.get('/decisions/chain/verify', { ...query, ...expected }, options);
  }

  /** The last verification of each whole chain, with its head. Verifies nothing. */
  last(options: CallOptions = {}): Promise<LastVerifications> {
    return this.#api.get('/verification', {}, options);
  }

  /** Verifies the chain of activity. */
  activity(
    query: ChainVerificationQuery = {},
    options: CallOptions = {},
  ): Promise<ActivityChainVerification> {
    return this.#api.get('/activity/chain/verify', query, options);
  }
}
