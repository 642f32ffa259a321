import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** The service's figures for Prometheus. Nothing in them names a tenant. */
export interface Metrics {
  readonly registry: Registry;
  /** One group commit: how many decisions, how many seconds. */
  observeGroup(decisions: number, seconds: number): void;
  observeRequest(method: string, route: string, status: number, seconds: number): void;
  countRateLimited(bucket: string): void;
  /** What became of a webhook's event: accepted, duplicate, ignored or refused. */
  countWebhook(processor: string, outcome: string): void;
  /** How many connections to the stream are open in this process. */
  showStreams(open: number): void;
  /** One connection to the stream has ended, with this code (RFC 6455, 7.4). */
  countStreamEnd(code: number): void;
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
    help: 'Time from taking a group to its commit',
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
    help: 'Events that payment processors sent, by what became of them',
    labelNames: ['processor', 'outcome'],
    registers,
  });
  const streams = streamMetrics(registers);
  return {
    ...streams,
    registry,
    observeGroup(decisions, seconds) {
      groupSize.observe(decisions);
      groupSeconds.observe(seconds);
    },
    observeRequest: (method, route, status, seconds) =>
      requests.observe({ method, route, status }, seconds),
    countRateLimited: (bucket) => limited.inc({ bucket }),
    countWebhook: (processor, outcome) => webhooks.inc({ processor, outcome }),
  };
}

function streamMetrics(registers: Registry[]): Pick<Metrics, 'showStreams' | 'countStreamEnd'> {
  const open = new Gauge({
    name: 'ledger_stream_connections',
    help: 'Connections to the stream that are open',
    registers,
  });
  const ended = new Counter({
    name: 'ledger_stream_ends_total',
    help: 'Connections to the stream that have ended, by close code',
    labelNames: ['code'],
    registers,
  });
  return {
    showStreams: (count) => open.set(count),
    countStreamEnd: (code) => ended.inc({ code }),
  };
}
