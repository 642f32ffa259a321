import type {
  ActivityChainVerification,
  ChainVerificationQuery,
  DecisionChainVerification,
  LastVerifications,
} from '../api/chain.js';
import type {
  Consistency,
  ConsistencyQuery,
  DecisionPresentation,
  DecisionProof,
  Log,
  PresentationBody,
} from '../api/transparency.js';
import { type Api, segment } from '../api.js';
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

/** A chain of the ledger; each has a log. */
type LogChain = Log['chain'];

/** Transparency logs: signed trees over the chains. */
export class Transparency {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** A log: its origin, its public key and its last checkpoint. */
  log(chain: LogChain, options: CallOptions = {}): Promise<Log> {
    return this.#api.get(`/log/${segment(chain)}`, {}, options);
  }

  /** The last checkpoint of a log: a signed note (C2SP tlog-checkpoint). */
  async checkpoint(chain: LogChain, options: CallOptions = {}): Promise<string> {
    const bytes = await this.#api.download(`/log/${segment(chain)}/checkpoint`, options);
    return new TextDecoder().decode(bytes);
  }

  /**
   * The bytes of a tile (C2SP tlog-tiles).
   * @param path without `tile/`, such as `0/x001/234` or `entries/000.p/7`
   */
  tile(chain: LogChain, path: string, options: CallOptions = {}): Promise<Uint8Array> {
    const parts = path.split('/').map(segment).join('/');
    return this.#api.download(`/log/${segment(chain)}/tile/${parts}`, options);
  }

  /** The proof that a tree of a log goes on from an earlier one. */
  consistency(
    chain: LogChain,
    query: ConsistencyQuery,
    options: CallOptions = {},
  ): Promise<Consistency> {
    return this.#api.get(`/log/${segment(chain)}/consistency`, query, options);
  }

  /** The proof that a decision is in the log; it is pending until a checkpoint covers the decision. */
  proof(decisionId: string, options: CallOptions = {}): Promise<DecisionProof> {
    return this.#api.get(`/decisions/${segment(decisionId)}/proof`, {}, options);
  }

  /**
   * Presents a decision with chosen fields: the text of a .dlp.json file, or null until a checkpoint covers the
   * decision.
   */
  present(
    decisionId: string,
    body: PresentationBody,
    options: CallOptions = {},
  ): Promise<DecisionPresentation> {
    return this.#api.post(`/decisions/${segment(decisionId)}/presentation`, body, options);
  }
}
