import type { Me } from '../api/access.js';
import type { Activity, ActivityPage, ActivityQuery } from '../api/chain.js';
import type { SigningKey, SigningKeyPage, SigningKeyQuery } from '../api/export.js';
import type {
  ConnectionState,
  ConnectionStates,
  DeadJob,
  DeadJobPage,
  DeadJobQuery,
  FollowerList,
  PlanRelease,
  RetriedJob,
  SpanGroups,
  StreamTicket,
  Version,
} from '../api/operations.js';
import type { SearchHit, SearchPage, SearchQuery } from '../api/search.js';
import { type Api, segment } from '../api.js';
import type { CallOptions } from '../http.js';
import { type PagedList, pagedList } from '../paging.js';

/** What keeps the ledger running. */
export class Operations {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Who calls, and what they may do. */
  me(options: CallOptions = {}): Promise<Me> {
    return this.#api.get('/me', {}, options);
  }

  /** The version of the service and of its interface. */
  version(options: CallOptions = {}): Promise<Version> {
    return this.#api.getBare('/version', options);
  }

  /** The OpenAPI description of the service: every operation with the schemas of its input and answers. */
  description(options: CallOptions = {}): Promise<Readonly<Record<string, unknown>>> {
    return this.#api.getBare('/openapi.json', options);
  }

  /** Decisions and financial events by id, external id, or a value of their metadata. */
  search(query: SearchQuery, options: CallOptions = {}): PagedList<SearchPage, SearchHit> {
    return pagedList<SearchPage, 'results'>(this.#api, '/search', 'results', query, options);
  }

  /** The log of changes. */
  activity(
    query: ActivityQuery = {},
    options: CallOptions = {},
  ): PagedList<ActivityPage, Activity> {
    return pagedList<ActivityPage, 'activity'>(this.#api, '/activity', 'activity', query, options);
  }

  /** The state of the accounting connections. */
  accounting(options: CallOptions = {}): Promise<ConnectionStates> {
    return this.#api.get('/accounting/connections', {}, options);
  }

  /** Polls an accounting system now. */
  pollAccounting(id: string, options: CallOptions = {}): Promise<ConnectionState> {
    return this.#api.post(`/accounting/connections/${segment(id)}/poll`, null, options);
  }

  /** Releases deletions and changes that a connection withholds. */
  releaseAccounting(
    id: string,
    body: PlanRelease,
    options: CallOptions = {},
  ): Promise<ConnectionState> {
    return this.#api.post(`/accounting/connections/${segment(id)}/release`, body, options);
  }

  /** What follows the records of the ledger, and how far behind it is. */
  followers(options: CallOptions = {}): Promise<FollowerList> {
    return this.#api.get('/followers', {}, options);
  }

  /** Background jobs that failed for good. */
  deadJobs(query: DeadJobQuery = {}, options: CallOptions = {}): PagedList<DeadJobPage, DeadJob> {
    return pagedList<DeadJobPage, 'jobs'>(this.#api, '/jobs/dead', 'jobs', query, options);
  }

  /** Runs such a job again. */
  retryJob(id: string, options: CallOptions = {}): Promise<RetriedJob> {
    return this.#api.post(`/jobs/${segment(id)}/retry`, null, options);
  }

  /** The keys that sign exports. */
  signingKeys(
    query: SigningKeyQuery = {},
    options: CallOptions = {},
  ): PagedList<SigningKeyPage, SigningKey> {
    return pagedList<SigningKeyPage, 'signing_keys'>(
      this.#api,
      '/signing-keys',
      'signing_keys',
      query,
      options,
    );
  }

  /** What arrived over OTLP in the last day, by scope and result: counts, and names with types, never values. */
  spanGroups(options: CallOptions = {}): Promise<SpanGroups> {
    return this.#api.get('/otlp/spans', {}, options);
  }

  /** A ticket for one connection to the stream, valid for a minute. */
  streamTicket(options: CallOptions = {}): Promise<StreamTicket> {
    return this.#api.post('/stream/tickets', null, options);
  }
}
