import { ExposureAnalysis, Pnl } from '@decision-ledger/contract/analytics';
import { ExposureRows, PnlRows } from '@decision-ledger/contract/analytics-rows';
import { DecisionBatchReceipt } from '@decision-ledger/contract/decision';
import { Link, LinkPage } from '@decision-ledger/contract/link';
import { Settings } from '@decision-ledger/contract/settings';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Client, dataOf, decision, expectRefusal } from '../../support/client.js';
import { erase, FULL } from '../../support/erasures.js';
import { decide } from '../../support/estimates.js';
import {
  askFor,
  bundleOf,
  CONSISTENT,
  check,
  type Downloaded,
  download,
  fingerprintOf,
  jsonOf,
  make,
  postExport,
  readExport,
  runTools,
  textOf,
  verdictsOf,
} from '../../support/exports.js';
import { link, recordEvent } from '../../support/money.js';
import {
  type Engine,
  type Organisation,
  openTestService,
  type TestService,
} from '../../support/service.js';
import { onlySuggestion, openDesk } from '../../support/suggestions-desk.js';

let bed: TestService;
let org: Organisation;
let client: Client;

const AGENT = 'refund-bot';
const FEBRUARY = { start_date: '2026-02-01', end_date: '2026-02-28' };
const STATEMENT = { ...FEBRUARY, export_type: 'statement', agent_id: AGENT };
const QUERY = `agent_id=${AGENT}&start=2026-02-01&end=2026-02-28`;
const IN = '2026-02-10T12:00:00.000Z';
const BEFORE = '2026-01-10T12:00:00.000Z';
const PASSED = { ...CONSISTENT, authenticity: 'pass' };

interface Row {
  readonly row: 'money' | 'decision';
  readonly decision_id: string;
  readonly link_id?: string;
  readonly exposure?: string | null;
  readonly seq: number;
  readonly hash: string;
}

interface Statement {
  readonly agent_id: string;
  readonly chains: { readonly activity: { readonly seq: number } };
  readonly figures: {
    readonly confirmed: Pnl['confirmed'];
    readonly matched: Pnl['matched'];
    readonly guessed: Pnl['guessed'];
    readonly expected: Pnl['expected'];
    readonly interval: Pnl['confidence_interval'];
    readonly by_currency: Pnl['by_currency'];
    readonly exposure: { readonly decisions: number };
  };
  readonly rows: readonly Row[];
}

/** What the statement of an agent contains, and its verdicts. */
export function statementsSuite(engine: Engine): void {
  describe(`Statements on ${engine}`, () => {
    beforeAll(async () => {
      bed = await openTestService(engine);
    });
    beforeEach(async () => {
      org = await bed.organisation();
      client = org.live;
      const exchange_rates = [{ from: 'EUR', to: 'USD', date: '2026-01-01', rate: '1.1' }];
      const rate_limits = { exports_per_hour: 1000 };
      dataOf(await client.patch('/settings', { rate_limits, exchange_rates }), Settings);
    });
    afterAll(() => bed.close());
    figures();
    concurrency();
    refusals();
  });
}

const join = async (decisionId: string, eventId: string, fields: object = {}) =>
  dataOf(await client.post('/links', link(decisionId, eventId, { ...fields })), Link, 201);

/** A loss for which the engine suggests a decision of the agent. */
async function suggestLoss(): Promise<Link> {
  const desk = await openDesk(bed, client);
  const others = Array.from({ length: 10 }, (_none, n) => ({ metadata: { order_id: `O-${n}` } }));
  await desk.decide(...others.map((fields) => ({ ...fields, timestamp: IN })));
  const order = { metadata: { order_id: 'ORD-77' } };
  await desk.decide({ ...order, agent_id: AGENT, outputs: { amount: 90 }, timestamp: IN });
  const timestamp = '2026-02-10T13:00:00.000Z';
  const event = await desk.happen({ ...order, amount: '-90.00', timestamp });
  await desk.look();
  return onlySuggestion(desk, event);
}

/** Money of February of two agents: several currencies, halves of a cent, a suggestion and a shared event. */
async function tellStory() {
  const suggested = await suggestLoss();
  const own = [];
  for (let n = 0; n < 3; n += 1) {
    const fields = { ...FULL, agent_id: AGENT, timestamp: IN, outputs: { amount: 100 + n } };
    own.push((await decide(client, fields)).decision_id);
  }
  const early = await decide(client, { agent_id: AGENT, timestamp: BEFORE });
  const other = await decide(client, { agent_id: 'pricing-bot', timestamp: IN });
  const [first = '', second = '', third = ''] = own;
  const happen = async (amount: string, currency = 'USD', timestamp = IN) =>
    (await recordEvent(client, { amount, currency, timestamp })).id;
  const shared = await happen('1000.01');
  await join(first, shared, { correlation_strength: 0.333 });
  await join(other.decision_id, shared, { correlation_strength: 0.4 });
  await join(second, await happen('-77.77', 'EUR'), { link_type: 'loss', correlation_strength: 1 });
  await join(early.decision_id, await happen('50.00'), { correlation_strength: 0.5 });
  await join(first, await happen('500', 'JPY'), { link_type: 'saving', correlation_strength: 1 });
  const cent = await happen('-0.01');
  await join(second, cent, { link_type: 'refund', correlation_strength: 0.5 });
  await join(third, cent, { link_type: 'cost', correlation_strength: 0.5 });
  await join(first, await happen('9.00', 'USD', '2026-03-10T12:00:00.000Z'));
  return { first, second, third, early: early.decision_id, shared, suggested };
}

async function answers() {
  const pnl = dataOf(await client.get(`/analytics/ai-pnl?${QUERY}`), Pnl);
  const exposure = dataOf(await client.get(`/analytics/liability?${QUERY}`), ExposureAnalysis);
  return { pnl, exposure };
}

function expectFigures(shown: Statement, { pnl, exposure }: Awaited<ReturnType<typeof answers>>) {
  const { figures } = shown;
  expect(figures.confirmed).toEqual(pnl.confirmed);
  expect(figures.matched).toEqual(pnl.matched);
  expect(figures.guessed).toEqual(pnl.guessed);
  expect(figures.expected).toEqual(pnl.expected);
  expect(figures.interval).toEqual(pnl.confidence_interval);
  expect(figures.by_currency.map(({ currency, confirmed }) => [currency, confirmed])).toEqual(
    pnl.by_currency.map(({ currency, confirmed }) => [currency, confirmed]),
  );
  const { expected, realised, p50, var95 } = exposure.aggregate;
  expect(figures.exposure).toEqual({
    ...{ expected, realised, p50, var95 },
    decisions: exposure.decisions,
  });
}

const statementIn = (bundle: Downloaded) => jsonOf<Statement>(bundle, 'statement.json');

async function expectPassed(bundle: Downloaded): Promise<void> {
  const report = await check(bundle, { keyFingerprint: await fingerprintOf(client) });
  expect(verdictsOf(report), JSON.stringify(report)).toEqual(PASSED);
}

function figures(): void {
  it('The figures are those of the analyses to the cent, and the rows are theirs', async () => {
    const { suggested } = await tellStory();
    const shown = await answers();
    const bundle = await bundleOf(bed, client, STATEMENT);
    const statement = statementIn(bundle);
    expect(statement.agent_id).toBe(AGENT);
    expectFigures(statement, shown);
    expect(statement.figures.confirmed.net).not.toBe('0.00');
    expect(statement.figures.matched.net).not.toBe('0.00');
    const money = statement.rows.filter(({ row }) => row === 'money');
    const linked = [];
    for (const figure of ['expected.net', 'guessed.net', 'unconverted']) {
      const page = await client.get(`/analytics/ai-pnl/rows?${QUERY}&figure=${figure}&limit=100`);
      linked.push(...dataOf(page, PnlRows).rows.map(({ link_id }) => link_id));
    }
    expect(linked).toContain(suggested.id);
    expect(money.map(({ link_id }) => link_id).sort()).toEqual(linked.sort());
    const page = await client.get(`/analytics/liability/rows?${QUERY}&limit=100`);
    const estimated = dataOf(page, ExposureRows).rows;
    expect(
      statement.rows
        .filter(({ row }) => row === 'decision')
        .map(({ decision_id, exposure }) => [decision_id, exposure]),
    ).toEqual(estimated.map(({ decision_id, exposure }) => [decision_id, exposure]));
    await expectPassed(bundle);
  });

  it('No payload and nothing of other agents but their entries is disclosed', async () => {
    await tellStory();
    const hidden = await recordEvent(client, { timestamp: IN, description: 'of nobody here' });
    const bundle = await bundleOf(bed, client, STATEMENT);
    expect([...bundle.files.keys()]).toEqual([
      ...['README.txt', 'CERTIFICATE.md', 'custody.json', 'statement.json'],
      ...['entries.ndjson', 'activity.ndjson'],
      ...['chain_verification.json', 'decisions.checkpoint', 'activity.checkpoint'],
      ...['decisions.range.json', 'keys.json', 'ledger-pubkey.pem'],
      ...['manifest.json', 'manifest.sig'],
    ]);
    const everything = [...bundle.files.keys()].map((name) => textOf(bundle, name)).join('');
    expect(everything).not.toContain('of nobody here');
    expect(everything).toContain(hidden.id);
    expect(everything).not.toContain(JSON.stringify(FULL.inputs));
  });

  it('An empty range is a statement of zeros that passes', async () => {
    await tellStory();
    const range = { start_date: '2025-01-01', end_date: '2025-01-31' };
    const bundle = await bundleOf(bed, client, { ...STATEMENT, ...range });
    const { figures: none, rows } = statementIn(bundle);
    expect(none.expected).toEqual({
      ...{ revenue: '0.00', savings: '0.00', costs: '0.00' },
      ...{ refunds: '0.00', losses: '0.00', net: '0.00' },
    });
    expect(rows).toEqual([]);
    await expectPassed(bundle);
  });

  it('A statement with more rows than a page passes', async () => {
    const fields = { agent_id: AGENT, timestamp: IN };
    for (let n = 0; n < 11; n += 1) {
      const decisions = Array.from({ length: 50 }, () => decision(fields));
      dataOf(await client.post('/decisions/batch', { decisions }), DecisionBatchReceipt, 201);
    }
    const bundle = await bundleOf(bed, client, STATEMENT);
    expect(statementIn(bundle).rows).toHaveLength(550);
    await expectPassed(bundle);
  });

  it('Erased fields make a statement unavailable, because exposures reveal amounts', async () => {
    const { first } = await tellStory();
    const bundle = await bundleOf(bed, client, STATEMENT);
    await erase(client, first, 'outputs');
    expect((await client.get(`/exports/${bundle.id}/download`)).status).toBe(410);
    await expectPassed(await bundleOf(bed, client, STATEMENT));
  });
}

function concurrency(): void {
  it('Reviews during the export change neither figures nor rows, and the bundle passes', async () => {
    const { first, shared } = await tellStory();
    const shown = await answers();
    const { export_id } = await askFor(client, STATEMENT);
    const { tools } = runTools(bed);
    await make(bed, client, export_id, {
      verify: async (...given) => {
        const event = await recordEvent(client, { amount: '1.00', timestamp: IN });
        await join(first, event.id);
        const links = await client.get(`/links?financial_event_id=${shared}`);
        for (const { id } of dataOf(links, LinkPage).links) await client.delete(`/links/${id}`);
        return tools.verify(...given);
      },
    });
    const bundle = await download(bed, client, export_id);
    expectFigures(statementIn(bundle), shown);
    await expectPassed(bundle);
    expect((await answers()).pnl.confirmed.net).not.toBe(shown.pnl.confirmed.net);
  });

  it('A statement that is made while links change is of one moment', async () => {
    const { first, second } = await tellStory();
    let isMade = false;
    const change = async () => {
      for (let n = 1; !isMade; n += 1) {
        const event = await recordEvent(client, { amount: `${n}.37`, timestamp: IN });
        const { id } = await join(first, event.id, { correlation_strength: 0.3 });
        await join(second, event.id, { correlation_strength: 0.4, link_type: 'saving' });
        if (n % 2 === 0) await client.delete(`/links/${id}`);
      }
    };
    const changing = change();
    try {
      for (let n = 0; n < 3; n += 1) await expectPassed(await bundleOf(bed, client, STATEMENT));
    } finally {
      isMade = true;
      await changing;
    }
  });
}

function refusals(): void {
  it('A statement needs an agent of this ledger, and no other type takes one', async () => {
    await tellStory();
    const { agent_id: _agent, ...nobody } = STATEMENT;
    expectRefusal(await postExport(client, nobody), 'validation_error', 'agent_id');
    expectRefusal(await postExport(client, { ...STATEMENT, agent_id: 'nobody' }), 'not_found');
    expectRefusal(await postExport(org.test, STATEMENT), 'not_found');
    const forensic = { ...STATEMENT, export_type: 'forensic' };
    expectRefusal(await postExport(client, forensic), 'validation_error', 'agent_id');
    const { export_id } = await askFor(client, STATEMENT);
    expect(await readExport(client, export_id)).toMatchObject({
      ...{ export_type: 'statement', agent_id: AGENT },
    });
  });
}
