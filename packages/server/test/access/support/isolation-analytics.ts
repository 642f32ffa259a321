import { AgentPage, ExposureAnalysis, Pnl, Timeline } from '@decision-ledger/contract/analytics';
import { MonthPage } from '@decision-ledger/contract/analytics-months';
import { ExposureRows, PnlRows } from '@decision-ledger/contract/analytics-rows';
import { ExperimentAnalysis, ExperimentPage } from '@decision-ledger/contract/experiment';
import { FinancialEvent } from '@decision-ledger/contract/financial-event';
import { expect } from 'vitest';
import { closeMonths } from '#server/domains/answers/analytics/close-months';
import { dataOf, expectRefusal } from '../../support/client.js';
import { decide } from '../../support/estimates.js';
import { event } from '../../support/money.js';
import { databaseAt } from '../../support/own-database.js';
import type { TestService } from '../../support/service.js';
import { type Case, expectNothingOf, type Ledger } from './isolation-ledger.js';

/** The cases of the analytics routes. */
export const ANALYTICS_CASES: Readonly<Record<string, Case>> = {
  'GET /api/v1/analytics/ai-pnl': countsOwnMoney,
  'GET /api/v1/analytics/ai-pnl/rows': listsOwnRows,
  'GET /api/v1/analytics/months': listsOwnMonths,
  'GET /api/v1/analytics/timeline': countsOwnTimes,
  'GET /api/v1/analytics/liability': countsOwnExposure,
  'GET /api/v1/analytics/liability/rows': listsOwnDecisions,
  'GET /api/v1/analytics/agents': countsOwnAgents,
  'GET /api/v1/analytics/experiments': listsOwnExperiments,
  'GET /api/v1/analytics/experiments/:id': comparesOwnExperiment,
};

/** The money of the other ledger's agents does not count here. */
async function countsOwnMoney({ client }: Ledger, foreign: Ledger): Promise<void> {
  const all = await client.get('/analytics/ai-pnl');
  expectNothingOf(foreign, all.text);
  dataOf(all, Pnl);
  for (const filter of ['agent_id', 'action_type']) {
    const theirs = dataOf(await client.get(`/analytics/ai-pnl?${filter}=${foreign.mark}`), Pnl);
    expect(theirs).toMatchObject({ net_ai_impact: '0.00', decisions: 0, by_agent: [] });
  }
}

/** No row is of the other ledger, whatever is asked for. */
async function listsOwnRows({ client }: Ledger, foreign: Ledger): Promise<void> {
  for (const figure of ['total', 'expected.net', 'guessed.net', 'unattributed']) {
    const all = await client.get(`/analytics/ai-pnl/rows?figure=${figure}&limit=500`);
    expectNothingOf(foreign, all.text);
    dataOf(all, PnlRows);
  }
  for (const filter of ['agent_id', 'action_type', 'customer']) {
    const path = `/analytics/ai-pnl/rows?figure=expected.net&${filter}=${foreign.mark}`;
    expect(dataOf(await client.get(path), PnlRows)).toMatchObject({ rows: [], sum: { rows: 0 } });
  }
}

const closed = new Map<string, Promise<string>>();

/** Closes the months of a ledger, once. @returns the only one that it has events of: 2019-01 to 2019-09 */
function closeOwn({ mark, mode, client, scope }: Ledger, bed: TestService): Promise<string> {
  const known = closed.get(mark) ?? close();
  closed.set(mark, known);
  return known;

  async function close(): Promise<string> {
    const month = `2019-0${Number(/[0-9]+/.exec(mark)?.[0]) * 2 + (mode === 'live' ? 1 : 2)}`;
    const fields = { timestamp: `${month}-15T00:00:00Z`, amount: amountOf(month) };
    dataOf(await client.post('/financial-events', event(fields)), FinancialEvent, 201);
    const later = Math.max(bed.clock.now(), Date.now()) + 60 * 86_400_000;
    const db = databaseAt(bed.service.db, { now: () => later });
    await closeMonths(db.ledger(scope), new AbortController().signal);
    return month;
  }
}

const amountOf = (month: string) => `${month.replace('-', '')}.77`;

/** Months of the other ledger, and their money, do not appear, whatever is asked for. */
async function listsOwnMonths(own: Ledger, foreign: Ledger, bed: TestService): Promise<void> {
  const [mine, theirs] = [await closeOwn(own, bed), await closeOwn(foreign, bed)];
  expect(mine).not.toBe(theirs);
  const all = await own.client.get('/analytics/months?limit=500');
  expectNothingOf(foreign, all.text);
  expect(all.text).not.toContain(amountOf(theirs));
  const { months } = dataOf(all, MonthPage);
  const names = months.map(({ month }) => month);
  expect(names).toContain(mine);
  expect(names).not.toContain(theirs);
  expect(months.at(-1)).toMatchObject({ month: mine, closed: { total: amountOf(mine) } });
  const asked = await own.client.get(`/analytics/months?month=${theirs}`);
  expect(dataOf(asked, MonthPage)).toMatchObject({ months: [], next_cursor: null });
  const page = dataOf(await foreign.client.get('/analytics/months?limit=1'), MonthPage);
  expect(page.next_cursor).not.toBeNull();
  const stolen = await own.client.get(`/analytics/months?limit=1&cursor=${page.next_cursor}`);
  expectRefusal(stolen, 'malformed_request');
}

/** The other ledger's filter finds nothing, and its names do not appear. */
async function countsOwnTimes({ client }: Ledger, foreign: Ledger): Promise<void> {
  for (const group of ['agent', 'action_type']) {
    const all = await client.get(`/analytics/timeline?group_by=${group}`);
    expectNothingOf(foreign, all.text);
    expect(dataOf(all, Timeline).timeline.length).toBeGreaterThan(0);
  }
  for (const filter of ['agent_id', 'action_type']) {
    const theirs = await client.get(`/analytics/timeline?${filter}=${foreign.mark}`);
    expect(dataOf(theirs, Timeline).timeline).toEqual([]);
  }
}

async function countsOwnExposure({ client }: Ledger, foreign: Ledger): Promise<void> {
  const all = await client.get('/analytics/liability?top=100');
  expectNothingOf(foreign, all.text);
  expect(dataOf(all, ExposureAnalysis).top_decisions.length).toBeGreaterThan(0);
  for (const filter of ['agent_id', 'action_type']) {
    const theirs = await client.get(`/analytics/liability?${filter}=${foreign.mark}`);
    expect(dataOf(theirs, ExposureAnalysis)).toMatchObject({
      ...{ decisions: 0, by_action_type: [], top_decisions: [] },
      aggregate: { expected: '0.00', p50: '0.00', var95: '0.00' },
    });
  }
}

/** No decision of the other ledger is behind a figure here. */
async function listsOwnDecisions({ client }: Ledger, foreign: Ledger): Promise<void> {
  const all = await client.get('/analytics/liability/rows?limit=500');
  expectNothingOf(foreign, all.text);
  expect(dataOf(all, ExposureRows).rows.length).toBeGreaterThan(0);
  for (const filter of ['agent_id', 'action_type']) {
    const path = `/analytics/liability/rows?${filter}=${foreign.mark}`;
    const none = { rows: [], sum: { rows: 0, exposure: '0' } };
    expect(dataOf(await client.get(path), ExposureRows)).toMatchObject(none);
  }
}

async function countsOwnAgents({ client, mark }: Ledger, foreign: Ledger): Promise<void> {
  const all = await client.get('/analytics/agents?limit=500');
  expectNothingOf(foreign, all.text);
  const names = dataOf(all, AgentPage).agents.map(({ agent_id }) => agent_id);
  expect(names).toContain(mark);
  for (const filter of ['agent_id', 'action_type']) {
    const theirs = await client.get(`/analytics/agents?${filter}=${foreign.mark}`);
    expect(dataOf(theirs, AgentPage)).toMatchObject({ agents: [], next_cursor: null });
  }
  await decide(foreign.client, { agent_id: `${foreign.mark} and another` });
  const page = await foreign.client.get('/analytics/agents?limit=1');
  const { next_cursor } = dataOf(page, AgentPage);
  const stolen = await client.get(`/analytics/agents?limit=1&cursor=${next_cursor}`);
  expectRefusal(stolen, 'malformed_request');
}

async function listsOwnExperiments({ client, mark }: Ledger, foreign: Ledger): Promise<void> {
  const all = await client.get('/analytics/experiments');
  expectNothingOf(foreign, all.text);
  const names = dataOf(all, ExperimentPage).experiments.map(({ experiment_id }) => experiment_id);
  expect(names).toEqual([mark]);
}

async function comparesOwnExperiment({ client, mark }: Ledger, foreign: Ledger): Promise<void> {
  const own = await client.get(`/analytics/experiments/${mark}`);
  expectNothingOf(foreign, own.text);
  expect(dataOf(own, ExperimentAnalysis).decisions).toBe(3);
  expectRefusal(await client.get(`/analytics/experiments/${foreign.mark}`), 'not_found');
}
