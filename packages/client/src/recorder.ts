import { Account, type LedgerStats, reporter } from './account.js';
import type { DecisionReceipt } from './api/decision.js';
import { type DecisionToRecord, type Encoded, encodeDecision } from './encode.js';
import {
  DecisionsLostError,
  type DeliveryReport,
  LedgerDisabledError,
  type LedgerProblem,
  messageOf,
} from './errors.js';
import type { Http, RecordOptions } from './http.js';
import type { LargeFields } from './large-fields.js';
import { LIMITS } from './limits.js';
import { compileMask } from './mask.js';
import { insteadOf } from './next-form.js';
import type { LedgerOptions, Settings } from './options.js';
import type { Outbox } from './outbox.js';
import { keyMaker } from './platform.js';
import { type Lane, MemoryQueue } from './queue.js';
import { type Anchor, ReceiptCheck, readReceipt } from './receipts.js';
import type { Runtime } from './runtime.js';
import { Sender } from './sender.js';

/** How long to wait for delivery. */
export interface FlushOptions {
  /** In ms. Default: 30 s for `flush`, 10 s for `close`. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

const NOTHING: DeliveryReport = { accepted: 0, pending: 0, failed: 0 };

/** Records decisions: encodes, keeps and delivers them. */
export class Recorder {
  readonly #http: Http;
  readonly #large: LargeFields;
  readonly #runtime: Runtime;
  readonly #settings: Settings;
  readonly #account = new Account();
  readonly #receipts: ReceiptCheck;
  readonly #report: (problem: LedgerProblem) => void;
  readonly #mask: ((decision: Record<string, unknown>) => unknown) | null;
  readonly #newKey: () => string;
  readonly #outbox: Outbox | null;
  readonly #memory: MemoryQueue;
  readonly #lanes: readonly Lane[];
  readonly #sender: Sender;
  readonly #removeHooks: () => void;
  #closing: Promise<DeliveryReport> | null = null;
  #isClosed = false;
  /** Waiting decisions that are reported as lost, because the process ends. */
  #writtenOff = 0;
  /** `recorded` when a flush at the end of the process began. */
  #flushedAt = 0;

  /** @throws TypeError if an option is not valid; an error of the file system for the outbox */
  constructor(
    options: LedgerOptions,
    settings: Settings,
    { http, large }: { readonly http: Http; readonly large: LargeFields },
    runtime: Runtime,
  ) {
    this.#http = http;
    this.#large = large;
    this.#runtime = runtime;
    this.#settings = settings;
    this.#report = reporter(this.#account, options.onError, runtime.now);
    this.#mask = options.mask === undefined ? null : compileMask(options.mask);
    this.#newKey = keyMaker();
    this.#memory = new MemoryQueue(settings.maxQueued, settings.maxQueuedBytes);
    this.#outbox = settings.isDisabled ? null : this.#openOutbox(options);
    this.#receipts = new ReceiptCheck(this.#outbox?.anchor ?? null, (anchor) =>
      this.#outbox?.keepAnchor(anchor),
    );
    this.#lanes =
      this.#outbox === null ? [this.#memory] : [this.#outbox.own, this.#outbox.recovered];
    this.#sender = new Sender({
      ...settings,
      ...{ http, large, account: this.#account, receipts: this.#receipts, lanes: this.#lanes },
      ...{ timers: runtime.timers, random: runtime.random, report: this.#report },
      maxBatchBytes: LIMITS.batchBytes,
      onRefused: (entry, { code, message }) => this.#outbox?.bury(entry, { code, message }),
    });
    this.#removeHooks = settings.isDisabled ? () => undefined : this.#addHooks(options);
  }

  #openOutbox({ outbox }: LedgerOptions): Outbox | null {
    if (outbox === undefined) return null;
    const { openOutbox, timers, now } = this.#runtime;
    if (openOutbox === null) {
      throw new TypeError('the option outbox needs files, which only Node.js has');
    }
    const { maxQueued, maxQueuedBytes } = this.#settings;
    return openOutbox(typeof outbox === 'string' ? { path: outbox } : outbox, {
      ...{ timers, now, maxDecisions: maxQueued, maxBytes: maxQueuedBytes },
      report: this.#report,
      onRecovered: () => this.#sender.notify(),
    });
  }

  #addHooks({ signals = [] }: LedgerOptions): () => void {
    const offExit = this.#runtime.beforeExit(() => void this.#flushAtExit());
    if (signals.length === 0) return offExit;
    const offSignals = this.#runtime.onSignals(signals, async () => {
      await this.close().catch(() => undefined);
    });
    return () => {
      offExit();
      offSignals();
    };
  }

  get anchor(): Anchor | null {
    return this.#receipts.anchor;
  }

  get stats(): LedgerStats {
    const { recorded, accepted, failed, replayed, late, payloadsDropped, retries } = this.#account;
    const sum = (of: (lane: Lane) => number) =>
      this.#lanes.reduce((all, lane) => all + of(lane), 0);
    return {
      ...{ recorded, accepted, failed, replayed, late, payloadsDropped, retries },
      pending: this.#pending,
      queued: sum(({ queued }) => queued),
      queuedBytes: sum(({ queuedBytes }) => queuedBytes),
      outboxBytes: this.#outbox?.bytes ?? 0,
      isSending: this.#sender.isSending,
      lastProblem: this.#account.lastProblem,
    };
  }

  get #pending(): number {
    const waiting = this.#lanes.reduce((all, { added, settled }) => all + added - settled, 0);
    return waiting - this.#writtenOff;
  }

  record(decision: DecisionToRecord): void {
    if (this.#settings.isDisabled) return;
    this.#account.recorded += 1;
    try {
      const encoded = encodeDecision(decision, this.#encoding(this.#newKey));
      this.#noteDropped(encoded);
      this.#keep(encoded);
    } catch (error) {
      const message = `a decision was not recorded: ${messageOf(error)}`;
      this.#report({ kind: 'dropped', message, decisions: 1, error });
    }
  }

  #encoding(newKey: (() => string) | null) {
    const { now, sha256 } = this.#runtime;
    return { mask: this.#mask, newKey, now, sha256 };
  }

  #keep({ json, isStamped }: Encoded): void {
    const reason = this.#isClosed ? 'the client is closed' : this.#add(json, isStamped);
    if (reason === null) {
      this.#sender.notify();
      return;
    }
    const message = `a decision was dropped: ${reason}`;
    this.#report({ kind: 'dropped', message, decisions: 1, decision: json });
  }

  /** @returns why the decision could not be kept, or null */
  #add(json: string, isStamped: boolean): string | null {
    if (this.#outbox !== null) {
      const kept = this.#outbox.own.add({ json, isStamped });
      return kept === 'full' ? 'neither the outbox nor the memory can take it' : null;
    }
    const bytes = this.#runtime.byteLength(json);
    return this.#memory.add({ json, bytes, isStamped }) ? null : 'the queue is full';
  }

  #noteDropped({ dropped }: Encoded): void {
    if (dropped === null) return;
    this.#account.payloadsDropped += 1;
    const message = `the payload of a decision was dropped: ${dropped.reason}`;
    this.#report({ kind: 'payload_dropped', message, decisions: 1, error: dropped.error });
  }

  async recordNow(decision: DecisionToRecord, options: RecordOptions): Promise<DecisionReceipt> {
    if (this.#settings.isDisabled) throw new LedgerDisabledError();
    this.#account.recorded += 1;
    const { idempotency_key: idempotencyKey = this.#newKey(), ...body } = decision;
    const { signedReceipt = false, ...call } = options;
    const prefer = signedReceipt ? { prefer: 'receipt=signed' } : {};
    const send = async (given: string) => {
      const draft = { json: given, key: idempotencyKey, isRenewed: false };
      const json = await this.#large.fit(draft, call);
      const request = { method: 'POST', path: '/decisions', json, idempotencyKey } as const;
      return this.#http.call({ ...request, ...prefer, ...call });
    };
    try {
      const encoded = encodeDecision(body, this.#encoding(null));
      this.#noteDropped(encoded);
      const answer = await send(encoded.json).catch(async (error: unknown) => {
        const instead = insteadOf(encoded, error);
        if (instead === null) throw error;
        const later = await send(instead.json);
        if (instead.form === 'late') this.#account.late += 1;
        return later;
      });
      const receipt = readReceipt(answer);
      this.#receipts.take(receipt);
      this.#account.accepted += 1;
      return receipt;
    } catch (error) {
      this.#account.failed += 1;
      throw error;
    }
  }

  async flush(options: FlushOptions): Promise<DeliveryReport> {
    if (this.#settings.isDisabled) return NOTHING;
    const mark = this.#account.mark();
    await this.#drain(options.timeoutMs ?? LIMITS.flushMs, options.signal);
    const report = this.#account.reportSince(mark, this.#pending);
    if (report.failed > 0) throw new DecisionsLostError(report, this.#account.causesSince(mark));
    return report;
  }

  /** Waits until everything is delivered or refused, or the time is over. */
  async #drain(timeoutMs: number, signal?: AbortSignal): Promise<void> {
    const work = async () => {
      await this.#outbox?.ready;
      await this.#sender.drain();
    };
    signal?.throwIfAborted();
    let end = () => {};
    const limit = new Promise<void>((resolve, reject) => {
      // This timer keeps the process alive while something waits for delivery.
      const cancel = this.#runtime.timers.after(timeoutMs, resolve, true);
      const abort = () => reject(signal?.reason);
      signal?.addEventListener('abort', abort, { once: true });
      end = () => {
        cancel();
        signal?.removeEventListener('abort', abort);
      };
    });
    await Promise.race([work(), limit]).finally(() => end());
  }

  close(options: FlushOptions = {}): Promise<DeliveryReport> {
    this.#closing ??= this.#close(options);
    return this.#closing;
  }

  async #close({ timeoutMs = LIMITS.closeMs, signal }: FlushOptions): Promise<DeliveryReport> {
    if (this.#settings.isDisabled) return NOTHING;
    this.#isClosed = true;
    try {
      await this.#drain(timeoutMs, signal);
    } finally {
      this.#sender.stop();
      this.#removeHooks();
      this.#reportUnstored('the client was closed before they were delivered');
      this.#outbox?.close();
    }
    const { accepted, failed } = this.#account;
    const report = { accepted, pending: this.#pending, failed };
    const start = { accepted: 0, failed: 0, problems: 0 };
    if (failed > 0) throw new DecisionsLostError(report, this.#account.causesSince(start));
    return report;
  }

  /** Decisions that are only in memory are lost when the process ends. */
  #reportUnstored(reason: string): void {
    const unstored = this.#outbox === null ? this.#pending : this.#outbox.own.unstored;
    const decisions = unstored - (this.#outbox === null ? 0 : this.#writtenOff);
    if (decisions <= 0) return;
    this.#writtenOff += decisions;
    this.#report({
      kind: 'dropped',
      message: `${decisions} decisions are lost: ${reason}`,
      decisions,
    });
  }

  /** Once for what is recorded: an event loop that ends again must not be kept alive again. */
  async #flushAtExit(): Promise<void> {
    if (this.#isClosed || this.#pending === 0) return;
    if (this.#flushedAt === this.#account.recorded) return;
    this.#flushedAt = this.#account.recorded;
    await this.#drain(LIMITS.closeMs);
    this.#reportUnstored('the process ended before they were delivered');
  }
}
