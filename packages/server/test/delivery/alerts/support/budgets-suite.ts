import { Alert } from '@decision-ledger/contract/alert';
import { BudgetCheck, BudgetReached, BudgetStates } from '@decision-ledger/contract/budget';
import { DecisionReceipt } from '@decision-ledger/contract/decision';
import { Link } from '@decision-ledger/contract/link';
import { parseJson } from '@decision-ledger/proof/gate';
import sql from 'sql-template-tag';
import { Parse } from 'typebox/value';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readSettings } from '#server/domains/access/settings/index';
import { watchLedgers } from '#server/domains/delivery/alerts/index';
import { checkBudgets } from '#server/domains/delivery/alerts/read-budgets';
import type { Scope } from '#server/platform/principal';
import { type Client, dataOf, decision } from '../../../support/client.js';
import { followLogs } from '../../../support/followers.js';
import { link, recordEvent, suggest } from '../../../support/money.js';
import { databaseWith } from '../../../support/own-database.js';
import {
  type Engine,
  type Instance,
  openTestService,
  scopeOf,
  type TestService,
} from '../../../support/service.js';

const DAY = 86_400_000;
let bed: TestService;
let other: Instance;
let client: Client;
let scope: Scope;

/** Budgets are measured, reported once for each share and period, and shown to those who ask. */
export function budgetsSuite(engine: Engine): void {
  describe(`Budgets on ${engine}`, () => {
    beforeAll(async () => {
      bed = await openTestService(engine);
      other = await bed.another();
    });
    beforeEach(async () => {
      client = (await bed.organisation()).live;
      scope = await scopeOf(bed, client);
    });
    afterAll(() => bed.close());
    reports();
    sums();
    checks();
  });
}

type Fields = Readonly<Record<string, unknown>>;

async function set(change: Fields): Promise<void> {
  const answered = await client.patch('/settings', change);
  expect(answered.status, answered.text).toBe(200);
}

const refunds = (fields: Fields = {}) => ({
  ...{ id: 'refunds', measure: 'refunds', period: 'month', amount: '100' },
  ...fields,
});

/** A time of the current month. */
const today = (ms = 0) => new Date(bed.clock.now() + ms).toISOString();

interface Moved {
  readonly agent?: string;
  readonly action?: string;
  readonly money?: Fields;
  readonly link?: Fields;
}

/** A decision with an event that it caused. */
async function move(amount: string, { agent = 'bot', action = 'refund', ...more }: Moved = {}) {
  const body = decision({ agent_id: agent, action_type: action });
  const { decision_id } = dataOf(await client.post('/decisions', body), DecisionReceipt, 201);
  const { id } = await recordEvent(client, { amount, timestamp: today(), ...more.money });
  const made = link(decision_id, id, {
    ...{ correlation_strength: 1, link_type: 'refund' },
    ...more.link,
  });
  dataOf(await client.post('/links', made), Link, 201);
}

const watch = ({ service }: Instance = bed) =>
  watchLedgers({ ...service, onUndelivered: (error) => expect.unreachable(String(error)) });

const states = async () => dataOf(await client.get('/budgets'), BudgetStates).budgets;
const checkOf = async (query: string) =>
  dataOf(await client.get(`/budgets/check?${query}`), BudgetCheck);

/** What was reported as alerts, oldest first. */
async function told(): Promise<BudgetReached[]> {
  const rows = await bed.service.db.query<{ payload: string }>(sql`
    select payload from alerts where ledger_id = ${scope.ledgerId} order by created_at, alert_id`);
  const alerts = rows.map(({ payload }) => Parse(Alert, parseJson(payload)));
  return alerts.flatMap((alert) => (alert.type === 'budget.reached' ? [alert.data] : []));
}

/** The same on the stream. */
async function announced(): Promise<BudgetReached[]> {
  const rows = await bed.service.db.query<{ data: string }>(sql`
    select data from announcements
    where ledger_id = ${scope.ledgerId} and type = 'budget.reached' order by seq`);
  return rows.map(({ data }) => Parse(BudgetReached, parseJson(data)));
}

function reports(): void {
  it('80 and 100 % are reported once, whichever processes look', async () => {
    await set({ budgets: [refunds()] });
    await move('79.99');
    await watch();
    expect(await told()).toEqual([]);
    await move('0.01');
    await Promise.all([watch(), watch(other), watch(), watch(other)]);
    await watch(await bed.another());
    expect(await told()).toMatchObject([{ budget: 'refunds', percent: 80, used: '80.00' }]);
    await move('30');
    for (let n = 0; n < 2; n += 1) await Promise.all([watch(), watch(other)]);
    const all = await told();
    expect(all.map(({ percent, used }) => [percent, used])).toEqual([
      [80, '80.00'],
      [100, '110.00'],
    ]);
    expect(await announced()).toEqual(all);
  });

  it('A new period starts at nothing, and is reported anew', async () => {
    await set({ budgets: [refunds({ period: 'day' })] });
    await move('90');
    await watch();
    expect(await states()).toMatchObject([{ used: '90.00', left: '10.00', reached_percent: 80 }]);
    bed.clock.advance(DAY);
    const start = `${today().slice(0, 10)}T00:00:00.000Z`;
    expect(await states()).toMatchObject([{ used: '0.00', period_start: start }]);
    await watch();
    await move('95');
    await watch();
    expect((await told()).map(({ period_start }) => period_start?.slice(0, 10))).toEqual([
      new Date(bed.clock.now() - DAY).toISOString().slice(0, 10),
      start.slice(0, 10),
    ]);
  });

  it('What may still be lost is limited for one agent alone', async () => {
    const outputs = { amount: 100_000 };
    const record = async (agent: string) => {
      const body = decision({ agent_id: agent, outputs });
      const receipt = dataOf(await client.post('/decisions', body), DecisionReceipt, 201);
      await followLogs(bed.service, [scope.ledgerId]);
      return receipt;
    };
    const { liability } = await record('bot');
    const open = Number(liability?.open);
    const amount = (open / 2).toFixed(2);
    await set({ budgets: [{ id: 'open', measure: 'open_exposure', agent_id: 'bot', amount }] });
    await record('another');
    await watch();
    expect(await told()).toMatchObject([{ percent: 80 }, { percent: 100 }]);
    await record('bot');
    await watch();
    expect(await told()).toHaveLength(2);
    const [state] = await states();
    expect(state).toMatchObject({ status: 'exceeded', period: null, period_start: null });
    expect(Math.abs(Number(state?.used) - 2 * open)).toBeLessThanOrEqual(0.01);
  });
}

function sums(): void {
  it('Money counts by its own day, kind, agent and action type, net of what was reversed', async () => {
    const budgets = [
      refunds({ id: 'all' }),
      refunds({ id: 'agent', agent_id: 'bot' }),
      refunds({ id: 'action', action_type: 'goodwill' }),
      refunds({ id: 'both', agent_id: 'bot', action_type: 'goodwill' }),
      refunds({ id: 'day', period: 'day' }),
      refunds({ id: 'loss', measure: 'loss' }),
    ];
    await set({ budgets });
    await move('10');
    await move('3', { action: 'goodwill' });
    await move('5', { agent: 'other' });
    await move('40', { money: { timestamp: today(-40 * DAY) } });
    await move('7', { link: { link_type: 'loss' } });
    await move('2', { link: { reversal: true } });
    const expected = ['16.00', '11.00', '3.00', '3.00', '16.00', '7.00'];
    expect((await states()).map(({ used }) => used)).toEqual(expected);
    await watch();
    expect((await states()).map(({ used }) => used)).toEqual(expected);
  });

  it('A guess counts nothing', async () => {
    await set({ budgets: [refunds({ measure: 'loss' })] });
    const { id } = await recordEvent(client, { amount: '500', timestamp: today() });
    const body = decision();
    const { decision_id } = dataOf(await client.post('/decisions', body), DecisionReceipt, 201);
    await suggest(bed, scope, { decision_id, financial_event_id: id });
    expect(await states()).toMatchObject([{ used: '0.00', status: 'within' }]);
  });

  it('Other currencies are converted by the rate of the day; without one, the state is unknown', async () => {
    const rate = { from: 'EUR', to: 'USD', date: '2000-01-01', rate: '1.5' };
    await set({ budgets: [refunds()], exchange_rates: [rate] });
    await move('10', { money: { currency: 'EUR' } });
    await move('1');
    expect(await states()).toMatchObject([{ used: '16.00', status: 'within' }]);
    await move('10', { money: { currency: 'CHF' } });
    expect(await states()).toMatchObject([{ used: '16.00', status: 'unknown' }]);
    await move('90');
    expect(await states()).toMatchObject([{ used: '106.00', left: '-6.00', status: 'exceeded' }]);
  });
}

function checks(): void {
  it('An agent is told of the budgets that it comes under, and is never refused', async () => {
    const budgets = [
      refunds({ id: 'all', amount: '1' }),
      refunds({ id: 'own', agent_id: 'bot' }),
      refunds({ id: 'foreign', agent_id: 'other' }),
      refunds({ id: 'action', action_type: 'refund' }),
    ];
    await set({ budgets });
    const ids = async (query: string) => (await checkOf(query)).budgets.map(({ id }) => id);
    expect(await ids('agent_id=bot')).toEqual(['all', 'own']);
    expect(await ids('agent_id=bot&action_type=refund')).toEqual(['all', 'own', 'action']);
    expect(await ids('agent_id=other&action_type=x')).toEqual(['all', 'foreign']);
    expect(await checkOf('agent_id=bot')).toMatchObject({ currency: 'USD', is_exceeded: false });
    await move('2');
    await watch();
    expect(await checkOf('agent_id=bot')).toMatchObject({ is_exceeded: true });
    await move('2');
  });

  it('A check costs one statement, and none without a budget that applies', async () => {
    await set({ budgets: [refunds({ agent_id: 'bot' }), refunds({ id: 'all', measure: 'loss' })] });
    await watch();
    const { db } = bed.service;
    let statements = 0;
    const counted = databaseWith(db, {
      query: (statement) => {
        statements += 1;
        return db.query(statement);
      },
    });
    const settings = await readSettings(db.ledger(scope));
    const query = { agent_id: 'bot', action_type: 'refund' };
    expect((await checkBudgets(counted.ledger(scope), settings, query)).budgets).toHaveLength(2);
    expect(statements).toBe(1);
    const others = { ...settings, budgets: settings.budgets.slice(0, 1) };
    await checkBudgets(counted.ledger(scope), others, { agent_id: 'other' });
    expect(statements).toBe(1);
  });
}
