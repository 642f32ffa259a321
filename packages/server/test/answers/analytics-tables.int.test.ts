import { AgentPage, Pnl, Timeline } from '@decision-ledger/contract/analytics';
import { PnlRows } from '@decision-ledger/contract/analytics-rows';
import { Link } from '@decision-ledger/contract/link';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCsv } from '../evidence/support/read-csv.js';
import { type Client, dataOf, expectRefusal } from '../support/client.js';
import { erase } from '../support/erasures.js';
import { decide } from '../support/estimates.js';
import { link, recordEvent } from '../support/money.js';
import { openTestService, scopeOf, type TestService } from '../support/service.js';
import { suggestLink } from './support/pnl-plan.js';
import { readTable } from './support/read-table.js';

let bed: TestService;
let client: Client;

beforeAll(async () => {
  bed = await openTestService('embedded');
  ({ live: client } = await bed.organisation());
  const scope = await scopeOf(bed, client);
  for (const [n, agent_id] of ['=1+1', '@SUM(A1)', 'plain, "quoted"'].entries()) {
    const { decision_id: decisionId } = await decide(client, { agent_id });
    const { id: eventId } = await recordEvent(client, {
      ...{ amount: `-${n + 1}0.005`, source: '=cmd()', currency: n === 2 ? 'CHF' : 'USD' },
    });
    const label = n === 0 ? 'matched' : 'guessed';
    await suggestLink(bed, scope, { decisionId, eventId, type: 'cost', strength: 60, label });
  }
});
afterAll(() => bed.close());

/** Every figure below a member of an answer, by its path. */
function figuresOf(value: unknown, path: string): [string, string][] {
  if (typeof value === 'string') return [[path, value]];
  return Object.entries(Object(value)).flatMap(([name, below]) =>
    figuresOf(below, `${path}.${name}`),
  );
}

describe('Tables', () => {
  it('The table of a profit and loss has every figure of the JSON answer', async () => {
    const pnl = dataOf(await client.get('/analytics/ai-pnl?group_by=customer'), Pnl);
    const rows = await readTable(client, '/analytics/ai-pnl?group_by=customer&format=csv');
    const found = new Map(rows.map((row) => [`${row.section} ${row.key} ${row.figure}`, row]));
    expect(found.size).toBe(rows.length);
    const expectRow = (name: string, amount: string) =>
      expect(found.get(name), name).toMatchObject({ amount, as_of: pnl.as_of });
    for (const label of ['expected', 'confirmed', 'matched', 'guessed'] as const) {
      for (const [name, amount] of figuresOf(pnl[label], label))
        expectRow(`total  ${name}`, amount);
    }
    expectRow('total  total', pnl.total ?? '');
    expectRow('total  unattributed', pnl.unattributed ?? '');
    expectRow('total  unconverted.CHF', pnl.unconverted[0]?.amount ?? '');
    expectRow('total  net_ai_impact', pnl.net_ai_impact);
    for (const { currency, ...own } of pnl.by_currency) {
      for (const [name, amount] of Object.entries(own)) {
        expectRow(`total  by_currency.${currency}.${name}`, amount ?? '');
        expect(found.get(`total  by_currency.${currency}.${name}`)?.currency).toBe(currency);
      }
    }
    expect(pnl.reported.length).toBeGreaterThan(1);
    for (const { currency, ...own } of pnl.reported) {
      for (const [name, amount] of Object.entries(own)) {
        expectRow(`reported ${currency} ${name}`, amount);
        expect(found.get(`reported ${currency} ${name}`)?.currency).toBe(currency);
      }
    }
    const sections = {
      ...{ agent: pnl.by_agent, action_type: pnl.by_action_type, month: pnl.by_month },
      ...{ quarter: pnl.by_quarter, customer: pnl.by_customer ?? [] },
    };
    for (const [section, groups] of Object.entries(sections)) {
      for (const { key, guessed } of groups) {
        const name = key !== null && /^[=@]/.test(key) ? `'${key}` : (key ?? '');
        for (const [figure, amount] of figuresOf(guessed, 'guessed')) {
          expectRow(`${section} ${name} ${figure}`, amount);
        }
      }
    }
    expect(pnl.guessed.net).toMatch(/^-/);
  });

  it('Tables of the timeline, of agents and of rows agree with the JSON answers', async () => {
    const { timeline } = dataOf(await client.get('/analytics/timeline?group_by=agent'), Timeline);
    const lines = await readTable(client, '/analytics/timeline?group_by=agent&format=csv');
    expect(lines.map((row) => [row.start, row.net, row.guessed_net])).toEqual(
      timeline.map(({ start, net, guessed }) => [start, net, guessed.net]),
    );
    const { agents } = dataOf(await client.get('/analytics/agents'), AgentPage);
    const listed = await readTable(client, '/analytics/agents?format=csv');
    expect(listed.map((row) => [row.exposure, row.guessed_losses])).toEqual(
      agents.map(({ exposure, guessed }) => [exposure, guessed.losses]),
    );
    const { rows } = dataOf(await client.get('/analytics/ai-pnl/rows?figure=total'), PnlRows);
    const table = await readTable(client, '/analytics/ai-pnl/rows?figure=total&format=csv');
    expect(table.map((row) => [row.link_id, row.amount, row.converted_amount, row.source])).toEqual(
      rows.map(({ link_id, amount, converted_amount }) => [
        ...[link_id ?? '', amount, converted_amount ?? ''],
        "'=cmd()",
      ]),
    );
  });

  it('No cell of a table is a formula, and amounts stay numbers', async () => {
    for (const path of [
      'ai-pnl',
      'timeline?group_by=agent',
      'agents',
      'ai-pnl/rows?figure=total',
    ]) {
      const table = await readTable(
        client,
        `/analytics/${path}${path.includes('?') ? '&' : '?'}format=csv`,
      );
      const cells = table.flatMap((row) => Object.values(row));
      expect(cells.length).toBeGreaterThan(0);
      for (const cell of cells) expect(cell).not.toMatch(/^[=+@\t\r]|^-(?!\d+(\.\d+)?$)/);
    }
  });

  it('A table is given for the header Accept too, and pages by a header', async () => {
    const answer = await client.get('/analytics/ai-pnl', { accept: 'text/csv' });
    expect(answer.text).toMatch(/^section,key,figure,currency,amount,/);
    const json = await client.get('/analytics/ai-pnl?format=json', { accept: 'text/csv' });
    expect(json.header('content-type')).toMatch(/^application\/json/);
    const first = await client.get('/analytics/ai-pnl/rows?figure=total&format=csv&limit=2');
    const cursor = first.header('x-next-cursor');
    const next = await client.get(
      `/analytics/ai-pnl/rows?figure=total&format=csv&limit=2&cursor=${cursor}`,
    );
    expect(readCsv(first.text)[1]?.[0]).not.toBe(readCsv(next.text)[1]?.[0]);
    expectRefusal(await client.get('/analytics/ai-pnl?format=xml'), 'validation_error', 'format');
  });
});

describe('Rows', () => {
  it.each([
    ['figure=unattributed&agent_id=a', 'figure'],
    ['figure=total&action_type=a', 'figure'],
    ['figure=confirmed', 'figure'],
    ['agent_id=a', 'figure'],
    ['figure=total&currency=usd', 'currency'],
    ['figure=total&start=2026-03-10&end=2026-03-01', 'start'],
  ])('Rows with %s are refused', async (query, field) => {
    expectRefusal(await client.get(`/analytics/ai-pnl/rows?${query}`), 'validation_error', field);
  });

  it('Rows of another ledger are never listed', async () => {
    const { live, test } = await bed.organisation();
    for (const other of [live, test]) {
      const { rows } = dataOf(await other.get('/analytics/ai-pnl/rows?figure=total'), PnlRows);
      expect(rows).toEqual([]);
    }
  });
});

describe('Customers', () => {
  it('Money is grouped by a configured key of the event, or else of the decision', async () => {
    const { live } = await bed.organisation();
    const add = async (amount: string, ofEvent: object, ofDecision: object) => {
      const { decision_id } = await decide(live, { metadata: ofDecision });
      const { id } = await recordEvent(live, { amount, metadata: ofEvent });
      dataOf(
        await live.post('/links', link(decision_id, id, { correlation_strength: 1 })),
        Link,
        201,
      );
      return decision_id;
    };
    await add('1', { customer_id: 'a', account: 'x' }, { customer_id: 'b' });
    const erased = await add('2', { other: 1 }, { customer_id: 'b' });
    await add('4', {}, { account: 'x' });
    const read = async () => {
      const { by_customer } = dataOf(await live.get('/analytics/ai-pnl?group_by=customer'), Pnl);
      return by_customer?.map(({ key, confirmed }) => [key, confirmed.net]);
    };
    expect(await read()).toEqual([
      ['a', '1.00'],
      ['b', '2.00'],
      [null, '4.00'],
    ]);
    const rows = await live.get('/analytics/ai-pnl/rows?figure=confirmed.net&customer=b');
    expect(dataOf(rows, PnlRows)).toMatchObject({ sum: { rows: 1, converted: '2' } });
    expect(dataOf(await live.get('/analytics/ai-pnl'), Pnl).by_customer).toBeNull();

    await erase(live, erased, 'metadata');
    expect(await read()).toEqual([
      ['a', '1.00'],
      [null, '6.00'],
    ]);
    await live.patch('/settings', { analytics: { customer_key: 'account' } });
    expect(await read()).toEqual([
      ['x', '5.00'],
      [null, '2.00'],
    ]);
  });
});
