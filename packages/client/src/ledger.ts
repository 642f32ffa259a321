import type { LedgerStats } from './account.js';
import { type AgentSession, openSession } from './agent-session.js';
import type { DecisionReceipt } from './api/decision.js';
import { Api } from './api.js';
import { type DecisionDraft, DecisionScope, type DecisionStart } from './context.js';
import type { DecisionToRecord } from './encode.js';
import type { DeliveryReport } from './errors.js';
import { Http, type RecordOptions } from './http.js';
import { LargeFields } from './large-fields.js';
import { type LedgerOptions, readSettings, withOverrides } from './options.js';
import { keyMaker } from './platform.js';
import type { Anchor } from './receipts.js';
import { type FlushOptions, Recorder } from './recorder.js';
import { Keys, Sessions } from './resources/access.js';
import { Analytics } from './resources/analytics.js';
import { Exports } from './resources/exports.js';
import { Links, Reviews } from './resources/links.js';
import { Operations } from './resources/operations.js';
import { Decisions, FinancialEvents } from './resources/records.js';
import { Settings } from './resources/settings.js';
import { Uploads } from './resources/uploads.js';
import { Transparency, Verification } from './resources/verification.js';
import type { Runtime } from './runtime.js';

/** A platform that ends work after the answer to a request, such as a serverless function. */
export interface WaitUntilContext {
  waitUntil(promise: Promise<unknown>): void;
}

/** The client, without what depends on the platform. `Ledger` is this class on its platform. */
export class LedgerClient {
  readonly #recorder: Recorder;
  readonly #scope: DecisionScope;
  readonly decisions: Decisions;
  readonly events: FinancialEvents;
  readonly links: Links;
  readonly reviews: Reviews;
  readonly analytics: Analytics;
  readonly exports: Exports;
  readonly uploads: Uploads;
  readonly verification: Verification;
  readonly transparency: Transparency;
  readonly settings: Settings;
  readonly keys: Keys;
  /** Sessions of people; `session()` is one of an agent. */
  readonly sessions: Sessions;
  readonly operations: Operations;

  constructor(options: LedgerOptions, platform: Runtime) {
    const runtime = withOverrides(platform, options);
    const settings = readSettings(options, runtime);
    const { url, key } = options;
    const http = new Http({ url, key, requestTimeoutMs: settings.requestTimeoutMs }, runtime);
    const api = new Api(http, keyMaker());
    this.uploads = new Uploads(api);
    const large = new LargeFields({ uploads: this.uploads, sha256: runtime.sha256 });
    this.#recorder = new Recorder(options, settings, { http, large }, runtime);
    this.#scope = new DecisionScope(runtime.newContext, (decision) => this.record(decision));
    this.decisions = new Decisions(api);
    this.events = new FinancialEvents(api);
    this.links = new Links(api);
    this.reviews = new Reviews(api);
    this.analytics = new Analytics(api);
    this.exports = new Exports(api);
    this.verification = new Verification(api, () => this.anchor);
    this.transparency = new Transparency(api);
    this.settings = new Settings(api);
    this.keys = new Keys(api);
    this.sessions = new Sessions(api);
    this.operations = new Operations(api);
  }

  /**
   * Records a decision. It returns at once and never throws: problems are reported to `onError`. With
   * an outbox, the decision is on disk when it returns. The object may be changed afterwards.
   */
  record(decision: DecisionToRecord): void {
    this.#recorder.record(decision);
  }

  /**
   * Records a decision and waits until it is in the ledger. It does not wait for decisions recorded
   * before, and is not kept in the outbox: if it throws, the decision may not be in the ledger. The
   * same `idempotency_key` makes a repeated call harmless.
   * @throws LedgerApiError, LedgerConnectionError after four attempts, LedgerDisabledError
   */
  async recordNow(
    decision: DecisionToRecord,
    options: RecordOptions = {},
  ): Promise<DecisionReceipt> {
    return this.#recorder.recordNow(decision, options);
  }

  /**
   * Delivers what was recorded, and reports on everything since the last flush. Decisions that the
   * service could not take within the time are `pending`; they stay in memory or in the outbox.
   * @throws DecisionsLostError if any decision was lost since the last flush
   */
  async flush(options: FlushOptions = {}): Promise<DeliveryReport> {
    return this.#recorder.flush(options);
  }

  /**
   * Delivers what was recorded, ends the client, and reports on everything since its start. What is
   * `pending` then is in the outbox, for the next process; without an outbox, it is lost.
   * @throws DecisionsLostError if any decision was lost
   */
  async close(options: FlushOptions = {}): Promise<DeliveryReport> {
    return this.#recorder.close(options);
  }

  /** Flushes after the answer, on platforms that stop a function when it has answered. */
  waitUntil(context: WaitUntilContext, options: FlushOptions = {}): void {
    // What was lost is reported to onError.
    context.waitUntil(this.flush(options).catch(() => undefined));
  }

  /** Figures for a metric or a health check. */
  stats(): LedgerStats {
    return this.#recorder.stats;
  }

  /** The last receipt in the chain, for `expect_seq` and `expect_hash`; null before the first. */
  get anchor(): Anchor | null {
    return this.#recorder.anchor;
  }

  /**
   * Runs a function that makes a decision, and records what it decided when it has ended, also if it
   * throws afterwards. If it decides nothing, nothing is recorded. The result is that of the function.
   */
  async withDecision<Result>(
    start: DecisionStart,
    work: (draft: DecisionDraft) => Promise<Result> | Result,
  ): Promise<Result> {
    return this.#scope.run(start, work);
  }

  /** The draft of the surrounding `withDecision`. Undefined outside, and where calls cannot be followed. */
  get currentDecision(): DecisionDraft | undefined {
    return this.#scope.current;
  }

  /**
   * Numbers the decisions of an agent's session from 1, so that a gap can be seen.
   * @param id default: a random one
   */
  session(id?: string): AgentSession {
    return openSession((decision) => this.record(decision), id);
  }
}
