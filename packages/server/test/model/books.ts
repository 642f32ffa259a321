import { Pnl } from '@decision-ledger/contract/analytics';
import { type Books, Figures } from '@decision-ledger/contract/analytics-figures';
import { MonthPage } from '@decision-ledger/contract/analytics-months';
import { Big } from 'big.js';
import { expect } from 'vitest';
import { type Client, dataOf } from '../support/client.js';
import { eventsOf } from '../support/webhooks.js';

const sum = (...amounts: readonly (string | null)[]): string =>
  amounts.reduce((total, amount) => total.plus(amount ?? 0), new Big(0)).toString();

const same = (amount: string | null) => new Big(amount ?? 0).toString();

/** The parts of all money add up to it, in every currency, label and group. */
export async function expectBooks(client: Client): Promise<void> {
  const pnl = dataOf(await client.get('/analytics/ai-pnl'), Pnl);
  const { confirmed, matched, guessed, expected, unattributed, total } = pnl;
  expect(sum(confirmed.net, matched.net, guessed.net, unattributed)).toBe(same(total));
  for (const name of Object.keys(Figures.properties)) {
    if (!isFigure(name)) continue;
    expect(sum(confirmed[name], matched[name]), `expected.${name}`).toBe(same(expected[name]));
  }
  for (const figures of [confirmed, matched, guessed, expected]) {
    const { revenue, savings, costs, refunds, losses, net } = figures;
    expect(sum(revenue, savings, costs, refunds, losses)).toBe(same(net));
  }
  for (const label of ['confirmed', 'matched', 'guessed', 'expected'] as const) {
    for (const groups of [pnl.by_agent, pnl.by_action_type, pnl.by_month, pnl.by_quarter]) {
      const nets = groups.map((group) => group[label].net);
      expect(sum(...nets), `the ${label} net of groups`).toBe(same(pnl[label].net));
    }
  }
  expect([same(pnl.total_revenue_attributed), same(pnl.net_ai_impact)]).toEqual([
    same(expected.revenue),
    same(expected.net),
  ]);
  await expectCurrencies(client, pnl.by_currency);
  await expectMonths(client);
}

/** The reasons of restatements sum to each change, and some record is found for each. */
async function expectMonths(client: Client): Promise<void> {
  const { months } = dataOf(await client.get('/analytics/months?limit=100'), MonthPage);
  for (const { month, restatements } of months) {
    for (const { changes, explanation } of restatements) {
      expect(
        explanation.reasons.map(({ type }) => type),
        month,
      ).not.toContain('unexplained');
      // Figures in two base currencies are not compared.
      const isOther = changes.some(({ figure }) => figure === 'currency');
      for (const { figure, before, after } of changes) {
        if (figure === 'currency' || (isOther && !figure.startsWith('by_currency'))) continue;
        const parts = explanation.reasons.flatMap(({ figures }) =>
          figures.flatMap((one) => (one.figure === figure ? [one.amount] : [])),
        );
        const difference = new Big(after ?? 0).minus(before ?? 0).toString();
        expect(sum(...parts), `${month} ${figure}`).toBe(difference);
      }
    }
  }
}

const isFigure = (name: string): name is keyof typeof Figures.properties =>
  name in Figures.properties;

async function expectCurrencies(client: Client, currencies: Books['by_currency']): Promise<void> {
  for (const row of currencies) {
    const { confirmed, matched, guessed, unattributed, unconverted, total } = row;
    const parts = sum(confirmed, matched, guessed, unattributed, unconverted);
    expect(parts, row.currency).toBe(same(total));
  }
  // Every live event is in the books, whatever its sign: none counts more or less than its amount.
  const events = await eventsOf(client);
  const listed = new Set(currencies.map(({ currency }) => currency));
  expect(listed).toEqual(new Set(events.map(({ currency }) => currency)));
}
