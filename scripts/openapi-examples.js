// Records the examples of the API's descriptions from a running service: node scripts/openapi-examples.js

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { HANDMADE } from './support/handmade-examples.js';
import { framesOf, listen, refund } from './support/stream-frames.js';
import { until } from './support/until.js';

const TARGET = 'packages/server/openapi/examples.json';
const DAY = 'examples/first-day';
const PORT = 8097;
const BASE = `http://127.0.0.1:${PORT}/api/v1`;
/** Elements of a list that are shown. */
const SHOWN = 2;

process.chdir(join(import.meta.dirname, '..'));
const folder = mkdtempSync(join(tmpdir(), 'decision-ledger-examples-'));
const service = startService(folder);
try {
  await until(async () => (await fetch(`http://127.0.0.1:${PORT}/readyz`)).ok);
  const { test: key } = JSON.parse(readFileSync(join(folder, 'keys.json'), 'utf8'));
  const frames = await listen(`ws://127.0.0.1:${PORT}/ws/v1/stream`, key);
  const recorded = await record(caller(key));
  const examples = {
    ...HANDMADE,
    ConnectionStates: { connections: [HANDMADE.ConnectionState] },
    DeadJobPage: { jobs: [HANDMADE.DeadJob], next_cursor: null },
    ...recorded,
    ...(await framesOf(frames)),
  };
  const sorted = Object.entries(examples).sort(([a], [b]) => (a < b ? -1 : 1));
  const text = JSON.stringify(
    Object.fromEntries(sorted.map(([k, v]) => [k, shortened(v)])),
    null,
    2,
  );
  writeFileSync(TARGET, `${text}\n`);
  process.stdout.write(`${sorted.length} examples are in ${TARGET}\n`);
} catch (error) {
  process.stderr.write(`${error.stack}\n`);
  process.exitCode = 1;
} finally {
  const ended = once(service, 'exit');
  service.kill();
  await ended;
  rmSync(folder, { recursive: true, force: true });
}

function startService(dataDir) {
  return spawn(process.execPath, ['packages/server/bin/decision-ledger.js', 'serve'], {
    env: {
      ...process.env,
      LEDGER_DATA_DIR: dataDir,
      LEDGER_PORT: String(PORT),
      LEDGER_LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** Calls the API and returns the data of the answer. */
function caller(key) {
  return async (method, path, body) => {
    const response = await fetch(`${BASE}${path}`, {
      method,
      headers: {
        'x-ledger-key': key,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer.data;
  };
}

async function record(call) {
  const [first, ...decisions] = linesOf('decisions');
  const receipt = await call('POST', '/decisions', first);
  const batch = {
    decisions: decisions
      .slice(0, SHOWN)
      .map((decision, index) => ({ ...decision, idempotency_key: `import-7-${index}` })),
  };
  const received = await call('POST', '/decisions/batch', batch);
  for (const decision of decisions.slice(SHOWN)) await call('POST', '/decisions', decision);
  const events = [];
  for (const event of linesOf('events'))
    events.push(await call('POST', '/financial-events', event));
  await until(async () => (await call('GET', '/links?status=ML_SUGGESTED')).links.length > 5);
  const examples = {
    DecisionBody: first,
    DecisionReceipt: receipt,
    DecisionBatchBody: batch,
    DecisionBatchReceipt: received,
    BatchDecision: batch.decisions[0],
    BatchedReceipt: received.decisions[0],
    FinancialEventBody: linesOf('events')[0],
    FinancialEvent: events[0],
    ...(await recordMoney(call)),
    ...(await recordReads(call, receipt.decision_id)),
    ...(await recordEvidence(call, receipt.decision_id)),
    ...(await recordOperations(call)),
  };
  await recordEndings(call);
  return examples;
}

async function recordEndings(call) {
  const { links } = await call('GET', '/links?status=ML_SUGGESTED');
  await call('POST', `/links/${links[0].id}/reject`, {});
  const [{ id, financial_event_id }] = (await call('GET', '/links?status=CONFIRMED')).links;
  await refund(call, financial_event_id);
  await call('DELETE', `/links/${id}`);
  await call('DELETE', `/financial-events/${financial_event_id}`);
}

async function recordMoney(call) {
  const links = await call('GET', '/links?status=ML_SUGGESTED');
  const reviews = await call('GET', '/reviews');
  const chargeback = links.links.find(({ link_type }) => link_type === 'loss') ?? links.links[0];
  const path = `/links/${chargeback.id}/confirm`;
  const explanation = `/financial-events/${chargeback.financial_event_id}/explanation?decision_id=${chargeback.decision_id}`;
  const tried = await call('POST', `${path}?dry_run=true`, {});
  const confirmed = await call('POST', path, {});
  const open = reviews.reviews.find(
    (one) => one.financial_event.id !== chargeback.financial_event_id,
  );
  const made = await call('POST', '/links?dry_run=true', {
    ...{ decision_id: chargeback.decision_id, financial_event_id: open.financial_event.id },
    ...{ correlation_strength: 0.5, link_type: 'cost', attribution_method: 'manual' },
  });
  const answer = await call('POST', `/reviews/${open.financial_event.id}`, { none: true });
  const given = await call('GET', '/reviews/answers');
  return {
    LinkPage: links,
    ReviewPage: reviews,
    Review: reviews.reviews[0],
    LinkInDetail: await call('GET', `/links/${chargeback.id}`),
    Explanation: await call('GET', explanation),
    Link: confirmed,
    ReviewedLink: tried,
    ReviewPreview: tried.dry_run,
    LinkScore: confirmed.score,
    ReviewBody: { none: true },
    ReviewAnswer: answer,
    MadeLink: made,
    GivenAnswerPage: given,
    GivenAnswer: given.answers[0],
    ...(await recordMovement(call)),
    DecisionInDetail: await call('GET', `/decisions/${chargeback.decision_id}`),
    Liability: (await call('GET', `/decisions/${chargeback.decision_id}/liability`)).estimates[0],
    LiabilityHistory: await call('GET', `/decisions/${chargeback.decision_id}/liability`),
  };
}

async function recordMovement(call) {
  const { financial_events } = await call('GET', '/financial-events?kind=sale&limit=2');
  const PairBody = { reports: financial_events.map(({ id }) => id) };
  const PairedMovement = await call('POST', '/movements/pair?dry_run=true', PairBody);
  const Movement = await call('POST', '/movements/pair', PairBody);
  const FinancialEventPage = await call('GET', '/financial-events?limit=2');
  const PartBody = { report: PairBody.reports[0] };
  await call('POST', '/movements/part', PartBody);
  const [ReportedEvent] = FinancialEventPage.financial_events;
  const RelatedEvent = await call('GET', `/financial-events/${ReportedEvent.id}`);
  return {
    ...{ FinancialEventPage, Movement, PairBody, PairedMovement, PartBody },
    ...{ PairPreview: PairedMovement.dry_run, RelatedEvent, ReportedEvent },
  };
}

async function recordReads(call, decisionId) {
  const pages = await call('GET', '/decisions?limit=2');
  const change = await call('PATCH', '/settings?dry_run=true', {
    liability: { confidence: { most: 4 } },
  });
  const model = await call('GET', '/analytics/attribution-model');
  return {
    DecisionPage: pages,
    Decision: pages.decisions[0],
    DecisionChainVerification: await call('GET', '/decisions/chain/verify'),
    ActivityChainVerification: await call('GET', '/activity/chain/verify'),
    ActivityPage: await call('GET', '/activity?limit=2'),
    Activity: (await call('GET', '/activity?limit=1')).activity[0],
    Pnl: await call('GET', '/analytics/ai-pnl?start=2026-04-16&end=2026-04-16'),
    PnlRows: await call('GET', '/analytics/ai-pnl/rows?start=2026-04-16&end=2026-04-16'),
    Timeline: await call('GET', '/analytics/timeline?start=2026-04-16&end=2026-04-16&bucket=day'),
    AgentPage: await call('GET', '/analytics/agents'),
    ExposureAnalysis: await call('GET', '/analytics/liability'),
    ExposureRows: await call('GET', '/analytics/liability/rows?limit=2'),
    LiabilityModel: await call('GET', '/analytics/liability/model?action_type=approve_refund'),
    LastVerifications: await call('GET', '/verification'),
    AttributionModel: { ...model, snapshot: `${model.snapshot.slice(0, 100)}…` },
    AttributionQuality: await call('GET', '/analytics/attribution-quality'),
    SettingsChange: change,
    SettingsPreview: change.dry_run,
    LiabilityBacktest: await call('GET', '/analytics/liability/backtest'),
    ...(await recordExperiment(call)),
    Settings: await call('GET', '/settings'),
    Erasure: await call('POST', `/decisions/${decisionId}/erase`, HANDMADE.ErasureBody),
  };
}

/** Forty customers in two arms, a quarter of whom paid. */
async function recordExperiment(call) {
  for (let customer = 0; customer < 40; customer += 1) {
    const metadata = {
      customer_id: `C-${900 + customer}`,
      experiment: {
        id: 'refund-tone',
        arm: customer % 2 === 0 ? 'plain' : 'warm',
        propensity: 0.5,
      },
    };
    const { decision_id } = await call('POST', '/decisions', {
      ...{ agent_id: 'support-agent', action_type: 'answer_complaint', inputs: {}, outputs: {} },
      ...{ confidence: 0.8, timestamp: '2026-03-02T10:00:00Z', metadata },
    });
    if (customer % 4 < 2) continue;
    const { id } = await call('POST', '/financial-events', {
      ...{ source: 'shop', event_type: 'sale', amount: `${40 + customer}.00`, currency: 'USD' },
      ...{ external_id: `sale-${customer}`, timestamp: '2026-03-05T10:00:00Z' },
    });
    await call('POST', '/links', {
      ...{ decision_id, financial_event_id: id, correlation_strength: 1 },
      ...{ link_type: 'revenue', attribution_method: 'direct' },
    });
  }
  return {
    ExperimentPage: await call('GET', '/analytics/experiments'),
    ExperimentAnalysis: await call('GET', '/analytics/experiments/refund-tone?comparison=plain'),
  };
}

async function recordEvidence(call) {
  const body = { export_type: 'compliance', start_date: '2026-04-16', end_date: '2026-04-16' };
  const requested = await call('POST', '/exports', body);
  const read = () => call('GET', `/exports/${requested.export_id}`);
  await until(async () => (await read()).status === 'complete');
  const keys = await call('GET', '/signing-keys');
  return {
    ExportBody: body,
    Export: await read(),
    ExportPage: await call('GET', '/exports'),
    SigningKeyPage: keys,
    SigningKey: keys.signing_keys[0],
  };
}

async function recordOperations(call) {
  const body = { name: 'nightly import', permissions: ['ingest'] };
  const issued = await call('POST', '/keys', body);
  const keys = await call('GET', '/keys');
  return {
    KeyBody: body,
    IssuedKey: { ...issued, key: HANDMADE.IssuedKey.key },
    KeyPage: keys,
    Key: keys.keys[0],
    StreamTicket: {
      ...(await call('POST', '/stream/tickets')),
      ticket: HANDMADE.StreamTicket.ticket,
    },
    ...(await recordSession(call)),
    Me: await call('GET', '/me'),
    Version: await (await fetch(`${BASE}/version`)).json(),
  };
}

async function recordSession(call) {
  const body = { name: 'Ada Okafor', permissions: ['read', 'review'] };
  const opened = await call('POST', '/sessions', body);
  const sessions = await call('GET', '/sessions');
  const found = await call('GET', '/search?q=A-2003');
  return {
    SessionBody: body,
    OpenedSession: { ...opened, token: HANDMADE.OpenedSession.token },
    SessionPage: sessions,
    Session: sessions.sessions[0],
    SearchPage: found,
    SearchHit: found.results[0],
  };
}

function linesOf(name) {
  const text = readFileSync(join(DAY, `${name}.ndjson`), 'utf8').trim();
  return text.split('\n').map((line) => JSON.parse(line));
}

/** The value with at most a few elements in each list. */
function shortened(value) {
  if (Array.isArray(value)) return value.slice(0, SHOWN).map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, shortened(part)]));
}
