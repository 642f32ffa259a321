import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { ChainName } from './chain/head.js';
import type { PoolState } from './database.js';
import type { ReplicaOutcome } from './replica.js';
import { type StoredMetrics, storedMetrics } from './stored-metrics.js';

/** The Prometheus metrics of the service. No label identifies a tenant. */
export interface Metrics extends StoredMetrics {
  readonly registry: Registry;
  /** Records a group commit: its number of decisions and its duration in seconds. */
  observeGroup(decisions: number, seconds: number): void;
  observeRequest(method: string, route: string, status: number, seconds: number): void;
  countRateLimited(bucket: string): void;
  /** Counts a webhook event by outcome. */
  countWebhook(processor: string, outcome: string): void;
  /** Counts spans that arrived over OTLP by outcome. */
  countSpans(outcome: 'decision' | 'refused' | 'no_rule' | 'no_content', spans: number): void;
  /** Counts requests with a signal of OTLP that is not recorded. */
  countDropped(signal: string): void;
  /** Counts work that only reads, where there is a replica. */
  countReplicaRead(outcome: ReplicaOutcome): void;
  /** Sets the number of open stream connections of this process. */
  showStreams(open: number): void;
  /** Counts a closed stream connection by its code (RFC 6455, 7.4). */
  countStreamEnd(code: number): void;
  /** Records a requested verification. @param at end of the verification, in ms */
  observeVerification(chain: ChainName, isValid: boolean, at: number): void;
  /** Registers the metrics of the connection pool, read on each scrape. */
  watchPool(read: () => PoolState): void;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const groupSize = new Histogram({
    name: 'ledger_group_decisions',
    help: 'Decisions committed in one transaction',
    buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000],
    registers,
  });
  const groupSeconds = new Histogram({
    name: 'ledger_group_commit_seconds',
    help: 'Time from the start of a group to its commit',
    buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1, 5],
    registers,
  });
  const requests = new Histogram({
    name: 'ledger_http_request_seconds',
    help: 'Time to answer a request',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
    registers,
  });
  const limited = new Counter({
    name: 'ledger_rate_limited_total',
    help: 'Requests refused by a rate limit',
    labelNames: ['bucket'],
    registers,
  });
  const webhooks = new Counter({
    name: 'ledger_webhook_events_total',
    help: 'Webhook events of payment processors, by outcome (accepted, duplicate, ignored_type, ignored_mode, ignored_account, refused)',
    labelNames: ['processor', 'outcome'],
    registers,
  });
  const spans = new Counter({
    name: 'ledger_otlp_spans_total',
    help: 'Spans that arrived over OTLP, by outcome (decision, refused, no_rule, no_content)',
    labelNames: ['outcome'],
    registers,
  });
  const dropped = new Counter({
    name: 'ledger_otlp_dropped_requests_total',
    help: 'Requests over OTLP with a signal that is not recorded, by signal (metrics, logs)',
    labelNames: ['signal'],
    registers,
  });
  const replicaReads = new Counter({
    name: 'ledger_replica_reads_total',
    help: 'Reads of analytics and searches where there is a replica, by outcome (replica, behind, failed); the primary did the last two',
    labelNames: ['outcome'],
    registers,
  });
  return {
    ...streamMetrics(registers),
    ...verificationMetrics(registers),
    ...storedMetrics(registers),
    watchPool: (read) => watchPool(registers, read),
    registry,
    observeGroup(decisions, seconds) {
      groupSize.observe(decisions);
      groupSeconds.observe(seconds);
    },
    observeRequest: (method, route, status, seconds) =>
      requests.observe({ method, route, status }, seconds),
    countRateLimited: (bucket) => limited.inc({ bucket }),
    countWebhook: (processor, outcome) => webhooks.inc({ processor, outcome }),
    countSpans: (outcome, count) => spans.inc({ outcome }, count),
    countDropped: (signal) => dropped.inc({ signal }),
    countReplicaRead: (outcome) => replicaReads.inc({ outcome }),
  };
}

function streamMetrics(registers: Registry[]): Pick<Metrics, 'showStreams' | 'countStreamEnd'> {
  const open = new Gauge({
    name: 'ledger_stream_connections',
    help: 'Open connections to the stream',
    registers,
  });
  const ended = new Counter({
    name: 'ledger_stream_ends_total',
    help: 'Closed connections to the stream, by close code',
    labelNames: ['code'],
    registers,
  });
  return {
    showStreams: (count) => open.set(count),
    countStreamEnd: (code) => ended.inc({ code }),
  };
}

function verificationMetrics(registers: Registry[]): Pick<Metrics, 'observeVerification'> {
  const labelNames = ['chain'];
  const walks = new Counter({
    name: 'ledger_chain_verifications_total',
    help: 'Verifications requested from this process, by chain (decisions, activity) and result (valid, broken)',
    labelNames: [...labelNames, 'result'],
    registers,
  });
  const lastAt = new Gauge({
    name: 'ledger_chain_last_verification_timestamp_seconds',
    help: 'When the last verification ended, in seconds since 1970, by chain',
    labelNames,
    registers,
  });
  const lastValid = new Gauge({
    name: 'ledger_chain_last_verification_valid',
    help: 'Whether the last verification found the chain valid: 1 or 0, by chain',
    labelNames,
    registers,
  });
  return {
    observeVerification(chain, isValid, at) {
      walks.inc({ chain, result: isValid ? 'valid' : 'broken' });
      lastAt.set({ chain }, at / 1000);
      lastValid.set({ chain }, isValid ? 1 : 0);
    },
  };
}

function watchPool(registers: Registry[], read: () => PoolState): void {
  new Gauge({
    name: 'ledger_database_connections',
    help: 'Connections of this process to the database, by state (in_use, idle)',
    labelNames: ['state'],
    registers,
    collect() {
      const { inUse, idle } = read();
      this.set({ state: 'in_use' }, inUse);
      this.set({ state: 'idle' }, idle);
    },
  });
  new Gauge({
    name: 'ledger_database_connections_max',
    help: 'Maximum connections of this process to the database',
    registers,
    collect() {
      this.set(read().max);
    },
  });
  new Gauge({
    name: 'ledger_database_waiting_requests',
    help: 'Requests that wait for a free connection',
    registers,
    collect() {
      this.set(read().waiting);
    },
  });
}
