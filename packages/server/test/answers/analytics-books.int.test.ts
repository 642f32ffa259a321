import { Pnl } from '@decision-ledger/contract/analytics';
import type { PnlRow } from '@decision-ledger/contract/analytics-rows';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runs } from '../../../proof/test/support/runs.js';
import { type Client, dataOf } from '../support/client.js';
import { openTestService, type TestService } from '../support/service.js';
import { expectedBooks, expectedCurrencies, isNear } from './support/books-oracle.js';
import { type Fraction, negative, parse, plus, times, total } from './support/fraction.js';
import {
  intervalOf,
  type LiveEvent,
  type LiveLink,
  RATES,
  type Rate,
  readLive,
} from './support/pnl-oracle.js';
import { carryOut, plan, SETTINGS } from './support/pnl-plan.js';
import { readRows } from './support/read-rows.js';

let bed: TestService;

beforeAll(async () => {
  bed = await openTestService('embedded');
});
afterAll(() => bed.close());

const LATE = { from: 'CHF', to: 'USD', date: '2026-03-12', rate: '1.07' };

const world = fc.record({
  plan,
  hasLateRate: fc.boolean(),
  start: fc.constantFrom(null, '2026-03-01', '2026-03-10'),
  end: fc.constantFrom(null, '2026-03-31', '2026-04-05'),
});

interface World {
  readonly client: Client;
  readonly live: readonly LiveEvent[];
}

describe('Books', () => {
  it('Confirmed, matched, guessed, unattributed and unconverted money is all money, whatever happened', {
    timeout: 600_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(world, async ({ plan: events, hasLateRate, start, end }) => {
        const { live: client } = await bed.organisation();
        await client.patch('/settings', { ...SETTINGS, exchange_rates: RATES });
        await carryOut(bed, client, events);
        const rates: Rate[] = hasLateRate ? [...RATES, LATE] : RATES;
        if (hasLateRate) await client.patch('/settings', { exchange_rates: rates });
        const all = await readLive(client, rates);
        const live = all.filter(
          ({ at }) =>
            (start === null || at >= Date.parse(start)) &&
            (end === null || at < Date.parse(end) + 86_400_000),
        );
        const range = [start && `start=${start}`, end && `end=${end}`].filter(Boolean).join('&');
        await compareWhole({ client, live }, range);
        await comparePart(
          { client, live },
          `${range}&agent_id=agent-1`,
          ({ agent }) => agent === 'agent-1',
        );
        await comparePart(
          { client, live },
          `${range}&action_type=action-2`,
          ({ actionType }) => actionType === 'action-2',
        );
      }),
      { seed: 2026, numRuns: runs(20) },
    );
  });
});

const readPnl = async (client: Client, query: string) =>
  dataOf(await client.get(`/analytics/ai-pnl?group_by=customer&${query}`), Pnl);

const amountOf = ({ amount }: PnlRow): Fraction => parse(amount);
const isZero = ({ n }: Fraction): boolean => n === 0n;
const same = (a: Fraction, b: Fraction): boolean => isZero(plus(a, negative(b)));

async function compareWhole({ client, live }: World, range: string): Promise<void> {
  const { rows } = await readRows(client, `figure=total&${range}`, 7);
  for (const event of live) {
    compareEvent(
      event,
      rows.filter((row) => row.financial_event_id === event.id),
    );
  }
  expect(new Set(rows.map((row) => row.financial_event_id)).size).toBeLessThanOrEqual(live.length);
  const pnl = await readPnl(client, range);
  compareFigures(pnl, rows, live, true);
  expect(pnl.by_currency.map(({ currency }) => currency)).toEqual(
    [...new Set(live.map(({ currency }) => currency))].sort(),
  );
  await compareRows(client, pnl, rows, range);
  compareInterval(pnl, live, () => true);
}

/** The rows of an event are its links and the rest, and sum to the amount that it counts with. */
function compareEvent(event: LiveEvent, rows: readonly PnlRow[]): void {
  expect(same(total(rows.map(amountOf)), event.counted), event.id).toBe(true);
  const linked = rows.filter(({ link_id }) => link_id !== null);
  expect(linked.map(({ link_id }) => link_id).sort()).toEqual(
    event.links.map(({ id }) => id).sort(),
  );
  for (const row of rows) {
    expect(same(parse(row.counted_amount), event.counted)).toBe(true);
    expect(row.amount).toMatch(/^-?\d+\.\d{12}$/);
    expect(row.rate === null).toBe(event.rate === null);
    if (event.rate !== null && row.rate !== null && row.converted_amount !== null) {
      expect(same(parse(row.rate), event.rate)).toBe(true);
      expect(same(parse(row.converted_amount), times(amountOf(row), event.rate))).toBe(true);
    }
    const link = event.links.find(({ id }) => id === row.link_id);
    expect(row.label).toBe(link?.label ?? 'unattributed');
    if (link === undefined) continue;
    expect([row.link_type, row.decision_id]).toEqual([link.type, link.decisionId]);
    expect(isNear(amountOf(row), times(event.counted, link.share)), row.amount).toBe(true);
    expect(isNear(parse(row.share), link.share), row.share).toBe(true);
  }
}

function compareFigures(
  pnl: Pnl,
  rows: readonly PnlRow[],
  live: readonly LiveEvent[],
  hasRest: boolean,
): void {
  const links = new Map(live.flatMap((event) => event.links.map((link) => [link.id, link])));
  const events = new Map(live.map((event) => [event.id, event]));
  const linkOf = ({ link_id }: PnlRow): LiveLink | undefined => links.get(link_id ?? '');
  const expected = expectedBooks(rows, 'USD', hasRest, {
    agent: (row) => linkOf(row)?.agent ?? '',
    actionType: (row) => linkOf(row)?.actionType ?? '',
    customer: (row) =>
      events.get(row.financial_event_id)?.customer ?? linkOf(row)?.decisionCustomer ?? null,
  });
  expect(pnl).toMatchObject(expected);
  expect([pnl.total_revenue_attributed, pnl.net_ai_impact]).toEqual([
    pnl.expected.revenue,
    pnl.expected.net,
  ]);
  const currencies = hasRest
    ? live.map(({ currency }) => currency)
    : rows.map((row) => row.currency);
  const own = expectedCurrencies(rows, currencies, hasRest);
  expect(pnl.by_currency).toEqual(own.map(({ books }) => books));
  const without = (list: Pnl['unconverted']) =>
    new Map(list.map((one) => [one.currency, one.amount]));
  const [linked, unlinked] = [without(pnl.unconverted), without(pnl.unattributed_unconverted)];
  for (const { books, linkedWithoutRate, unlinkedWithoutRate } of own) {
    const { currency } = books;
    expect(linked.get(currency) ?? zero(currency)).toBe(linkedWithoutRate);
    if (hasRest) expect(unlinked.get(currency) ?? zero(currency)).toBe(unlinkedWithoutRate);
  }
}

const zero = (currency: string) => ({ JPY: '0', KWD: '0.000' })[currency] ?? '0.00';

const TYPES = {
  revenue: 'revenue',
  savings: 'saving',
  costs: 'cost',
  refunds: 'refund',
  losses: 'loss',
};

/** Every figure is the sum of its own rows, which the service lists. */
async function compareRows(
  client: Client,
  pnl: Pnl,
  all: readonly PnlRow[],
  range: string,
): Promise<void> {
  const check = async (figure: string, isOne: (row: PnlRow) => boolean, printed: string | null) => {
    const { rows, sum } = await readRows(client, `figure=${figure}&${range}`);
    const own = all.filter(isOne);
    expect(rows, figure).toEqual(own);
    const exact = total(own.map(({ converted_amount }) => parse(converted_amount ?? '0')));
    expect(same(parse(sum.converted), exact), figure).toBe(true);
    for (const { currency, amount } of sum.by_currency) {
      const parts = own.filter((row) => row.currency === currency).map(amountOf);
      expect(same(parse(amount), total(parts)), `${figure} ${currency}`).toBe(true);
    }
    // A printed figure is next to its exact sum; `expected` is made of two.
    const distance = plus(parse(printed ?? '0'), negative(exact));
    const units = figure.startsWith('expected') ? 2n : 1n;
    if (printed !== null)
      expect(
        distance.n * 100n < units * distance.d && distance.n * 100n > -units * distance.d,
      ).toBe(true);
  };
  const isHere = ({ rate }: PnlRow) => rate !== null;
  for (const label of ['expected', 'confirmed', 'matched', 'guessed'] as const) {
    const isLabel = (row: PnlRow) =>
      isHere(row) &&
      (label === 'expected' ? /confirmed|matched/.test(row.label) : row.label === label);
    await check(`${label}.net`, isLabel, pnl[label].net);
    for (const [name, type] of Object.entries(TYPES)) {
      if (label !== 'confirmed' && name !== 'revenue') continue;
      const printed: unknown = Reflect.get(pnl[label], name);
      const isType = (row: PnlRow) => isLabel(row) && row.link_type === type;
      await check(`${label}.${name}`, isType, typeof printed === 'string' ? printed : null);
    }
  }
  const isRest = ({ label }: PnlRow) => label === 'unattributed';
  await check('unattributed', (row) => isHere(row) && isRest(row), pnl.unattributed);
  await check('unconverted', (row) => !isHere(row) && !isRest(row), null);
  await check('unattributed_unconverted', (row) => !isHere(row) && isRest(row), null);
  await check('total', () => true, pnl.total);
  for (const { key } of pnl.by_customer ?? []) {
    if (key === null) continue;
    const { sum } = await readRows(
      client,
      `figure=guessed.net&${range}&customer=${encodeURIComponent(key)}`,
    );
    const printed = pnl.by_customer?.find((one) => one.key === key)?.guessed.net ?? '';
    expect(Math.abs(Number(printed) - Number(sum.converted))).toBeLessThan(0.05);
  }
}

function compareInterval(
  pnl: Pnl,
  live: readonly LiveEvent[],
  counts: (link: LiveLink) => boolean,
): void {
  const { low, high } = pnl.confidence_interval;
  const exact = intervalOf(live, counts);
  // The printed net is at most two cents from the exact one, and the ends keep their distance to it.
  expect(Math.abs(Number(low) - exact.low), `low ${low}`).toBeLessThan(0.0251);
  expect(Math.abs(Number(high) - exact.high), `high ${high}`).toBeLessThan(0.0251);
  expect(Number(low)).toBeLessThanOrEqual(Number(pnl.net_ai_impact));
  expect(Number(high)).toBeGreaterThanOrEqual(Number(pnl.net_ai_impact));
}

async function comparePart(
  { client, live }: World,
  query: string,
  counts: (link: LiveLink) => boolean,
): Promise<void> {
  const links = live.flatMap((event) => event.links.filter(counts));
  const ids = new Set(links.map(({ id }) => id));
  const parts: PnlRow[] = [];
  for (const figure of ['expected.net', 'guessed.net', 'unconverted']) {
    parts.push(...(await readRows(client, `figure=${figure}&${query}`)).rows);
  }
  expect(parts.map(({ link_id }) => link_id).sort()).toEqual([...ids].sort());
  const pnl = await readPnl(client, query);
  compareFigures(pnl, parts, live, false);
  compareInterval(pnl, live, counts);
}
