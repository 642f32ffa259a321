import type { DecisionPresentation, PresentationBody } from '../api/presentation.js';
import type { Consistency, ConsistencyQuery, DecisionProof, Log } from '../api/transparency.js';
import { type Api, segment } from '../api.js';
import type { CallOptions } from '../http.js';

/** A chain of the ledger; each has a log. */
export type LogChain = Log['chain'];

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
