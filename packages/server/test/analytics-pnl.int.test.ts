import { Pnl } from '@decision-ledger/contract/analytics';
import { DecisionReceipt } from '@decision-ledger/contract/decision';
import { FinancialEvent } from '@decision-ledger/contract/financial-event';
import { Link } from '@decision-ledger/contract/link';
import { uuidToId } from '@decision-ledger/server/platform/ids';
import fc from 'fast-check';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dataOf, decision, expectRefusal } from './support/client.js';
import { type Organisation, openTestService, type TestService } from './support/service.js';

let bed: TestService;

beforeAll(async () => {
  bed = await openTestService('embedded');
});
afterAll(() => bed.close());

/** A number without rounding. */
interface Fraction {
  readonly n: bigint;
  readonly d: bigint;
}

const whole = (n: bigint): Fraction => ({ n, d: 1n });
const plus = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.d + b.n * a.d, d: a.d * b.d });
const times = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.n, d: a.d * b.d });
const over = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.d, d: a.d * b.n });
const absolute = ({ n, d }: Fraction): Fraction => ({ n: n < 0n ? -n : n, d });

function parse(text: string): Fraction {
  const [head = '', tail = ''] = text.split('.');
  return { n: BigInt(head + tail), d: 10n ** BigInt(tail.length) };
}

/** Half to even, with two decimals. */
function cents({ n, d }: Fraction): string {
  const scaled = { n: (n < 0n ? -n : n) * 100n, d };
  const quotient = scaled.n / scaled.d;
  const twice = 2n * (scaled.n % scaled.d);
  const up = twice > scaled.d || (twice === scaled.d && quotient % 2n === 1n);
  const digits = String(quotient + (up ? 1n : 0n)).padStart(3, '0');
  const text = `${digits.slice(0, -2)}.${digits.slice(-2)}`;
  return n < 0n && text !== '0.00' ? `-${text}` : text;
}

const RATES = [
  { from: 'EUR', to: 'USD', date: '2026-03-01', rate: '1.25' },
  { from: 'EUR', to: 'USD', date: '2026-03-10', rate: '1.1' },
  { from: 'JPY', to: 'USD', date: '2026-03-05', rate: '0.0067' },
];
/** The rates above, read by hand: null where none is dated on or before the day. */
function rateOn(currency: string, day: number): Fraction | null {
  if (currency === 'USD') return whole(1n);
  if (currency === 'EUR') return parse(day >= 10 ? '1.1' : '1.25');
  if (currency === 'JPY' && day >= 5) return parse('0.0067');
  return null;
}

const TYPES = ['revenue', 'cost', 'loss', 'refund', 'saving'] as const;
const NAMES = {
  ...{ revenue: 'revenue', cost: 'costs', loss: 'losses', refund: 'refunds', saving: 'savings' },
} as const;

const plan = fc.record({
  events: fc.array(
    fc.record({
      amount: fc.tuple(fc.integer({ min: -99_999, max: 99_999 }), fc.nat({ max: 999 })),
      currency: fc.constantFrom('USD', 'EUR', 'JPY', 'CHF'),
      day: fc.integer({ min: 1, max: 20 }),
      isReversal: fc.boolean(),
      isDeleted: fc.boolean(),
      links: fc.uniqueArray(
        fc.record({
          decision: fc.nat({ max: 3 }),
          type: fc.constantFrom(...TYPES),
          strength: fc.integer({ min: 0, max: 100 }),
          fate: fc.constantFrom('stands', 'stands', 'suggested', 'deleted'),
        }),
        { maxLength: 4, selector: ({ decision: at, type }) => `${at} ${type}` },
      ),
    }),
    { minLength: 1, maxLength: 6 },
  ),
});
type Plan = typeof plan extends fc.Arbitrary<infer Value> ? Value : never;
type PlannedEvent = Plan['events'][number];

const amountOf = ({ amount: [head, tail] }: PlannedEvent): string =>
  head === 0 ? `0.${String(tail).padStart(3, '0')}` : `${head}.${String(tail).padStart(3, '0')}`;

/** Figures as an accountant would work them out, without rounding before the end. */
function expectedFigures({ events }: Plan, isCounted: (fate: string) => boolean) {
  const sums = new Map<string, Fraction>(TYPES.map((type) => [type, whole(0n)]));
  for (const event of events.filter(({ isDeleted }) => !isDeleted)) {
    const rate = rateOn(event.currency, event.day);
    const standing = event.links.filter(({ fate }) => fate !== 'deleted');
    const total = standing.reduce((sum, { strength }) => sum + strength, 0);
    const all = parse(String(Math.max(100, total)));
    for (const { type, strength, fate } of standing) {
      if (rate === null || !isCounted(fate)) continue;
      const amount = parse(amountOf(event));
      const against = times(whole(-1n), absolute(amount));
      const asItIs = type === 'revenue' || type === 'saving';
      const signed = asItIs ? amount : event.isReversal ? absolute(amount) : against;
      const part = times(times(signed, rate), over(whole(BigInt(strength)), all));
      sums.set(type, plus(sums.get(type) ?? whole(0n), part));
    }
  }
  const net = [...sums.values()].reduce(plus, whole(0n));
  const named = [...sums].map(([type, sum]) => [Reflect.get(NAMES, type), cents(sum)]);
  return { ...Object.fromEntries(named), net: cents(net) };
}

async function carryOut({ events }: Plan, org: Organisation): Promise<void> {
  const decisions: string[] = [];
  for (let index = 0; index < 4; index++) {
    const body = decision({ agent_id: `agent-${index % 2}`, action_type: `action-${index}` });
    const answer = await org.live.post('/decisions', body);
    decisions.push(dataOf(answer, DecisionReceipt, 201).decision_id);
  }
  for (const event of events) {
    const body = {
      ...{ source: 'test', event_type: event.isReversal ? 'refund_reversal' : 'payment' },
      ...{ amount: amountOf(event), currency: event.currency },
      timestamp: `2026-03-${String(event.day).padStart(2, '0')}T23:59:59.999Z`,
    };
    const recorded = dataOf(await org.live.post('/financial-events', body), FinancialEvent, 201);
    for (const { decision: at, type, strength, fate } of event.links) {
      const answer = await org.live.post('/links', {
        ...{ decision_id: decisions[at], financial_event_id: recorded.id },
        ...{ correlation_strength: strength / 100, link_type: type, attribution_method: 'manual' },
      });
      const link = dataOf(answer, Link, 201);
      if (fate === 'deleted') await org.live.delete(`/links/${link.id}`);
      if (fate === 'suggested') await makeSuggestion(link.id);
    }
    if (event.isDeleted) await org.live.delete(`/financial-events/${recorded.id}`);
  }
}

/** What the engine would have written, without its choice of strength. */
async function makeSuggestion(id: string): Promise<void> {
  const rows = await bed.service.db.query<{ link_id: string }>(sql`select link_id from links`);
  const row = rows.find(({ link_id }) => uuidToId('lnk', link_id) === id);
  await bed.service.db.query(sql`
    update links set status = 'ML_SUGGESTED' where link_id = ${row?.link_id ?? ''}`);
}

const readPnl = async (org: Organisation, query = '') =>
  dataOf(await org.live.get(`/analytics/ai-pnl${query}`), Pnl);

describe('the profit and loss of what decisions moved', () => {
  it('is what exact fractions come to, whatever is linked, suggested, deleted or unconverted', {
    timeout: 120_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(plan, async (given) => {
        const org = await bed.organisation();
        await org.live.patch('/settings', { exchange_rates: RATES });
        await carryOut(given, org);
        const pnl = await readPnl(org);
        expect(pnl.expected).toEqual(expectedFigures(given, () => true));
        expect(pnl.confirmed).toEqual(expectedFigures(given, (fate) => fate === 'stands'));
        expect(pnl.total_revenue_attributed).toBe(pnl.expected.revenue);
        expect(pnl.net_ai_impact).toBe(pnl.expected.net);
        expect(pnl.decisions).toBe(4);
      }),
      { seed: 2026, numRuns: 25 },
    );
  });

  it('is zero for an empty ledger, and knows nothing of the other one', async () => {
    const org = await bed.organisation();
    const body = { source: 'a', event_type: 'b', amount: '5', currency: 'USD' };
    await org.test.post('/financial-events', { ...body, timestamp: '2026-03-01T00:00:00Z' });
    const { expected, unattributed, decisions, by_agent } = await readPnl(org);
    expect({ net: expected.net, unattributed, decisions, by_agent }).toEqual({
      ...{ net: '0.00', unattributed: '0.00', decisions: 0, by_agent: [] },
    });
  });

  it('goes by the times of the events, to the millisecond, and by agent and action type', async () => {
    const org = await bed.organisation();
    const links = [
      { decision: 1, type: 'revenue' as const, strength: 100, fate: 'stands' as const },
    ];
    const event = { currency: 'USD', isReversal: false, isDeleted: false, links } as const;
    const events: Plan['events'] = [
      { ...event, amount: [10, 0], day: 9, links: [...links] },
      { ...event, amount: [32, 500], day: 10, links: [...links] },
    ];
    await carryOut({ events }, org);
    const revenue = async (query: string) => (await readPnl(org, query)).total_revenue_attributed;
    expect(await revenue('?start=2026-03-10')).toBe('32.50');
    expect(await revenue('?end=2026-03-09')).toBe('10.00');
    expect(await revenue('?end=2026-03-09T23:59:59.999Z')).toBe('0.00');
    expect(await revenue('?agent_id=agent-1')).toBe('42.50');
    expect(await revenue('?agent_id=agent-0')).toBe('0.00');
    expect(await revenue('?action_type=action-1')).toBe('42.50');
    const { by_month, by_agent, unattributed } = await readPnl(org, '?agent_id=agent-1');
    expect(by_month.map(({ key, expected }) => [key, expected.net])).toEqual([
      ['2026-03', '42.50'],
    ]);
    expect(by_agent.map(({ key }) => key)).toEqual(['agent-1']);
    expect(unattributed).toBe(null);
    const refused = await org.live.get('/analytics/ai-pnl?start=2026-03-10&end=2026-03-01');
    expectRefusal(refused, 'validation_error', 'start');
  });

  it('tells apart what no rate converts', async () => {
    const org = await bed.organisation();
    const links = [
      { decision: 0, type: 'revenue' as const, strength: 25, fate: 'stands' as const },
    ];
    const event = { isReversal: false, isDeleted: false, links } as const;
    await carryOut(
      { events: [{ ...event, amount: [100, 0], currency: 'CHF', day: 3, links: [...links] }] },
      org,
    );
    const { expected, unconverted, unattributed } = await readPnl(org);
    expect(expected.revenue).toBe('0.00');
    expect(unattributed).toBe('0.00');
    expect(unconverted).toEqual({
      attributed: [{ currency: 'CHF', amount: '25.00' }],
      unattributed: [{ currency: 'CHF', amount: '75.00' }],
    });
  });
});
