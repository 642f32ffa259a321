import { ExposureAnalysis } from '@decision-ledger/contract/analytics';
import { type ClosedMonth, MonthPage } from '@decision-ledger/contract/analytics-months';
import { ExperimentPage } from '@decision-ledger/contract/experiment';
import { LiabilityBacktest } from '@decision-ledger/contract/liability';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeMonths } from '#server/domains/answers/analytics/close-months';
import { forecastMonth } from '#server/domains/judgement/liability/follow';
import { type Client, dataOf, expectRefusal } from '../support/client.js';
import { decide, nightly } from '../support/estimates.js';
import { link, recordEvent } from '../support/money.js';
import { openTestService, scopeOf, type TestService } from '../support/service.js';
import { analyse, record, twoArms } from './support/experiment-ledger.js';
import { readTable, type TableRow } from './support/read-table.js';

const DAY = 86_400_000;
const FORMULA = '=HYPERLINK("http://a.example")';

let bed: TestService;

beforeAll(async () => {
  bed = await openTestService('embedded', { isWorker: true });
});
afterAll(() => bed.close());

/** Every figure below an answer by its path, as text; null is empty. */
function leavesOf(value: unknown, path: string): [path: string, text: string][] {
  if (value === null) return [[path, '']];
  if (typeof value !== 'object') return [[path, String(value)]];
  return Object.entries(Object(value)).flatMap(([name, below]) =>
    leavesOf(below, path === '' ? name : `${path}.${name}`),
  );
}

/** Expects exactly these figures of a section and key, in the columns `value` and `text`. */
function expectFigures(table: readonly TableRow[], place: string, figures: object): void {
  const rows = table.filter(({ section, key }) => `${section} ${key}` === place);
  const found = rows.map(({ figure, value, text }) => [figure, `${value}${text}`]);
  expect(found.sort(), place).toEqual(leavesOf(figures, '').sort());
  for (const { value } of rows) expect(value).toMatch(/^$|^-?[0-9.e-]+$/);
}

describe('Tables of the exposure and of its back-test', () => {
  it('Every figure of the exposure is a row, and no cell is a formula', async () => {
    const { live } = await bed.organisation();
    for (const agent_id of ['a', FORMULA]) {
      const outputs = { amount: '250.00' };
      await decide(live, { agent_id, action_type: FORMULA, outputs, confidence: 0.5 });
    }
    const query = '/analytics/liability?top=1';
    const answer = dataOf(await live.get(query), ExposureAnalysis);
    const { currency, version, as_of, as_of_seq, pending, ...figures } = answer;
    const { aggregate, by_action_type, top_decisions, trend, ...total } = figures;
    const table = await readTable(live, query);
    expect(answer.decisions).toBe(2);
    expectFigures(table, 'total ', { ...aggregate, ...total });
    for (const { action_type, ...own } of by_action_type) {
      expectFigures(table, `action_type '${action_type}`, own);
    }
    const [{ decision_id, ...top } = { decision_id: '' }] = top_decisions;
    expectFigures(
      table.map((row) => ({ ...row, text: row.text?.replace(/^'/, '') ?? '' })),
      `decision ${decision_id}`,
      top,
    );
    for (const { day, currency: _own, ...own } of trend) expectFigures(table, `day ${day}`, own);
    expect(
      new Set(
        table.map((row) =>
          [row.currency, row.version, row.as_of, row.as_of_seq, row.pending].join(),
        ),
      ),
    ).toContain([currency, version, as_of, as_of_seq, pending].join());
    const cells = table.flatMap((row) => Object.values(row));
    for (const cell of cells) expect(cell).not.toMatch(/^[=+@\t\r]|^-(?!\d)/);
  });

  it('Every figure of the back-test is a row, by month and by agent', async () => {
    const { live } = await bed.organisation();
    const scope = await scopeOf(bed, live);
    // The database dates decisions by the real clock.
    const now = new Date();
    await decide(live, { agent_id: 'a' });
    await nightly(bed, scope);
    const after = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 2);
    await forecastMonth(bed.service.db.ledger(scope), after);
    const query = '/analytics/liability/backtest';
    const { months, agents, ...total } = dataOf(await live.get(query), LiabilityBacktest);
    const table = await readTable(live, query);
    expect(months).toHaveLength(1);
    expectFigures(table, 'total ', total);
    for (const { month, currency, version, ...own } of months) {
      expectFigures(table, `month ${month}`, own);
      expect(table.find(({ key }) => key === month)).toMatchObject({ currency, version });
    }
    for (const { agent_id, bins, ...own } of agents) {
      const byBin = bins.map(({ bin, ...figures }) => [`bins.${bin}`, figures]);
      expectFigures(table, `agent ${agent_id}`, { ...own, ...Object.fromEntries(byBin) });
    }
    expectRefusal(await live.get(`${query}?format=xml`), 'validation_error', 'format');
    const json = await live.get(`${query}?format=json`, { accept: 'text/csv' });
    expect(dataOf(json, LiabilityBacktest).months).toEqual(months);
  });
});

describe('Tables of closed months', () => {
  const IN_MARCH = { timestamp: '2026-03-31T23:59:59.999Z' };

  async function restatedMonth(client: Client): Promise<void> {
    const close = async () =>
      closeMonths(bed.service.db.ledger(await scopeOf(bed, client)), new AbortController().signal);
    const { decision_id } = await decide(client);
    const { id } = await recordEvent(client, { ...IN_MARCH, amount: '100.005' });
    await client.post('/links', link(decision_id, id, { correlation_strength: 0.5 }));
    await recordEvent(client, { ...IN_MARCH, amount: '-7.77', currency: 'EUR' });
    // The run of this day may be over.
    bed.clock.advance(DAY);
    await close();
    const rate = { from: 'EUR', to: 'USD', date: '2026-01-01', rate: '2' };
    await client.patch('/settings', { exchange_rates: [rate] });
    bed.clock.advance(DAY);
    await close();
  }

  it('Every figure of a month is a row: as closed, as restated with the amount before, and now', async () => {
    const { live } = await bed.organisation();
    await restatedMonth(live);
    const [month] = dataOf(await live.get('/analytics/months'), MonthPage).months;
    const table = await readTable(live, '/analytics/months');
    const [restated] = month?.restatements ?? [];
    const expectBooks = (section: string, books: ClosedMonth['closed'] | undefined) => {
      const rows = table.filter((row) => row.section === section && row.amount !== '');
      const {
        unconverted,
        unattributed_unconverted,
        by_currency,
        currency: _,
        ...labels
      } = books ?? { unconverted: [], unattributed_unconverted: [], by_currency: [], currency: '' };
      const listed = [
        ...leavesOf(labels, ''),
        ...unconverted.map((one) => [`unconverted.${one.currency}`, one.amount]),
        ...unattributed_unconverted.map((one) => [
          ...[`unattributed_unconverted.${one.currency}`, one.amount],
        ]),
        ...by_currency.flatMap(({ currency, ...own }) => leavesOf(own, `by_currency.${currency}`)),
      ];
      expect(rows.map(({ figure, amount }) => [figure, amount])).toEqual(listed);
    };
    expectBooks('closed', month?.closed);
    expectBooks('restated', restated?.figures);
    expectBooks('current', month?.current);
    const before = table.filter((row) => row.before !== '');
    expect(before.map((row) => [row.figure, row.before, row.amount]).sort()).toEqual(
      (restated?.changes ?? [])
        .filter((change) => change.before !== null)
        .map((change) => [change.figure, change.before, change.after ?? ''])
        .sort(),
    );
    expect(before.some((row) => row.amount === '')).toBe(true);
    expect(table[0]).toMatchObject({ month: '2026-03', at: month?.closed_at });
    expect(table[0]).toMatchObject({ activity_hash: month?.activity_hash });
  });
});

describe('Tables of experiments', () => {
  it('Every figure of an analysis is a row, and the list has a row for each arm', async () => {
    const { live } = await bed.organisation();
    const payment = { customer: 'x', amount: '5.00' };
    await record(bed, live, [...twoArms(), { arm: 'bold', ...payment, currency: 'EUR' }]);
    const { experiment_id, as_of, currency, arms, differences, reasons, ...rest } =
      await analyse(live);
    const { warnings, unconverted, labels, covariates, ...total } = rest;
    const table = await readTable(live, '/analytics/experiments/pricing');
    expect([reasons, unconverted.length, differences.length]).toEqual([[], 1, 1]);
    expectFigures(table, 'total ', {
      ...total,
      ...{ labels: labels.join(), covariates: covariates.join() },
    });
    for (const { code, message } of warnings) expectFigures(table, `warning ${code}`, { message });
    for (const { arm, ...own } of arms) {
      const left = unconverted.find((one) => one.arm === arm);
      expectFigures(table, `arm ${arm}`, {
        ...own,
        ...(left !== undefined && { unconverted: left.amount }),
      });
    }
    for (const { arm, ...own } of differences) expectFigures(table, `difference ${arm}`, own);
    expect(table.at(-1)).toMatchObject({ experiment_id, as_of, currency: 'EUR' });
    expect(table[0]).toMatchObject({ currency });

    const { experiments } = dataOf(await live.get('/analytics/experiments'), ExperimentPage);
    const listed = await readTable(live, '/analytics/experiments');
    expect(listed.map((row) => [row.experiment_id, row.arm, Number(row.arm_decisions)])).toEqual(
      experiments.flatMap((one) =>
        one.arms.map(({ arm, decisions }) => [one.experiment_id, arm, decisions]),
      ),
    );
  });
});
