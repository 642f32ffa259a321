import { Pnl } from '@decision-ledger/contract/analytics';
import { PnlRows } from '@decision-ledger/contract/analytics-rows';
import { FinancialEventPage } from '@decision-ledger/contract/financial-event';
import { LinkPage } from '@decision-ledger/contract/link';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, dataOf, expectRefusal } from '../support/client.js';
import { recordDecision, recordEvent } from '../support/money.js';
import { openTestService, type TestService } from '../support/service.js';

let bed: TestService;

beforeAll(async () => {
  bed = await openTestService('embedded');
});
afterAll(() => bed.close());

/** Event types, the line that has them, and the sign of their money. 0: their own sign. */
const TYPES = new Map(
  Object.entries({
    'till payment': ['counted', 0],
    'till payout': ['counted', 0],
    'adyen CAPTURE': ['counted', 1],
    'adyen REFUND': ['counted', -1],
    'adyen InvoiceDeduction': ['counted', -1],
    'adyen AUTHORISATION': ['authorised', 1],
    'adyen CANCELLATION': ['void', 1],
    'adyen NOTIFICATION_OF_CHARGEBACK': ['planned', -1],
    'adyen MerchantPayout': ['between_own_accounts', -1],
    'adyen Balancetransfer': ['between_own_accounts', 0],
    'adyen unheard of': ['unclassified', 0],
    'bank/giro pending': ['planned', 0],
    'bank/giro transfer': ['between_own_accounts', 0],
    'stripe payout': ['between_own_accounts', 0],
    'stripe charge': ['counted', 0],
  } as const),
);

/** What counts once another report of the movement has moved. */
const TOLD: readonly string[] = ['planned', 'authorised', 'unclassified'];

const LINES = [
  'tax',
  ...(['counted_once', 'planned', 'authorised', 'void'] as const),
  ...(['between_own_accounts', 'unclassified'] as const),
] as const;

const world = fc.record({
  events: fc.array(
    fc.record({
      type: fc.constantFrom(...TYPES.keys()),
      cents: fc.integer({ min: -500_000, max: 500_000 }),
      currency: fc.constantFrom('USD', 'EUR', 'KWD'),
      day: fc.integer({ min: 1, max: 9 }),
      isDeleted: fc.boolean(),
      isLinked: fc.boolean(),
      isRepeated: fc.boolean(),
      /** Of a sum that the books repeat. */
      tax: fc.integer({ min: 0, max: 500 }),
    }),
    { minLength: 1, maxLength: 8 },
  ),
});
type World = typeof world extends fc.Arbitrary<infer One> ? One : never;

async function make(client: Client, { events }: World): Promise<void> {
  await client.patch('/settings', { attribution: { unsigned_sources: ['adyen'] } });
  const decisionId = await recordDecision(client);
  const ids: string[] = [];
  for (const { type, cents, currency, day, isLinked, isRepeated, tax } of events) {
    const at = type.indexOf(' ');
    const money = {
      ...{ amount: inUnits(BigInt(cents)), currency },
      timestamp: `2026-03-0${day}T12:00:00Z`,
    };
    const [source, event_type] = [type.slice(0, at), type.slice(at + 1)];
    const { id } = await recordEvent(client, { source, event_type, ...money });
    ids.push(id);
    if (isRepeated) {
      const copy = await recordEvent(client, repeatedOf(cents, tax, money));
      await client.post('/movements/pair', { reports: [id, copy.id] });
    }
    if (isLinked) {
      await client.post('/links', {
        ...{ decision_id: decisionId, financial_event_id: id, link_type: 'revenue' },
        ...{ correlation_strength: 0.3, attribution_method: 'manual' },
      });
    }
  }
  for (const [at, { isDeleted }] of events.entries()) {
    if (isDeleted && at % 2 === 0) await client.delete(`/financial-events/${ids[at]}`);
  }
}

/** The till repeats the whole, and the books what is left without tax. */
function repeatedOf(cents: number, tax: number, money: object) {
  const untaxed = cents - Math.sign(cents) * tax;
  if (tax === 0 || untaxed * cents <= 0) return { ...money, source: 'till', event_type: 'payment' };
  const [total, amount] = [inUnits(BigInt(cents)), inUnits(BigInt(untaxed))];
  const currency = 'currency' in money ? money.currency : '';
  return {
    ...{ ...money, amount, source: 'accounting/main', event_type: 'revenue' },
    metadata: { account: 'income', transaction: { currency, total, untaxed: amount } },
  };
}

function inUnits(cents: bigint): string {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

const centsOf = (amount: string): bigint => {
  const [whole = '', part = ''] = amount.replace('-', '').split('.');
  const cents = BigInt(whole) * 100n + BigInt(part.slice(0, 2).padEnd(2, '0'));
  return amount.startsWith('-') ? -cents : cents;
};

const ONE_OF_EACH: World = {
  events: [...TYPES.keys()].map((type, n) => ({
    // No two of them add up to nothing.
    ...{ type, cents: 12_345 + 2 ** n, currency: 'USD', day: 1 },
    ...{ isDeleted: false, isLinked: false, isRepeated: false, tax: 0 },
  })),
};

const addTo = (sums: Map<string, bigint>, name: string, amount: bigint) =>
  sums.set(name, (sums.get(name) ?? 0n) + amount);

/** What each line of each currency must have, from the list of events alone. */
async function expectedLines(client: Client, until: string) {
  const query = `/financial-events?limit=500&end=${until}`;
  const page = dataOf(await client.get(query), FinancialEventPage);
  const { links } = dataOf(await client.get('/links?limit=500'), LinkPage);
  const linked = new Set(links.map(({ financial_event_id }) => financial_event_id));
  const sums = new Map<string, bigint>();
  for (const event of page.financial_events) {
    const { id, source, event_type, amount, currency, kind, movement } = event;
    const [line, sign] = TYPES.get(`${source} ${event_type}`) ?? ['counted', 0];
    const own = centsOf(amount);
    const isSaid = movement.reports.some((report) => linked.has(report));
    const size = own < 0n ? -own : own;
    const signed = sign === 0 || isSaid ? own : BigInt(sign) * size;
    // The report that repeats it says that it moved, and in which direction.
    const isTold = TOLD.includes(line) && movement.reports.length > 1;
    const isKnown = line === 'unclassified' && (isSaid || own === 0n);
    const known = isTold || isKnown ? 'counted' : line;
    const name = movement.lead === id ? known : 'counted_once';
    const booked = page.financial_events.find(
      (one) => one.source === 'accounting/main' && movement.reports.includes(one.id),
    );
    const hasTax = name === 'counted' && booked !== undefined && booked.id !== id;
    const untaxed = centsOf(booked?.amount.replace('-', '') ?? '0');
    const tax = hasTax ? (signed < 0n ? untaxed - size : size - untaxed) : 0n;
    addTo(sums, `${currency} ${name}`, signed - tax);
    addTo(sums, `${currency} tax`, tax);
    const isGross = name === 'counted' && kind === 'sale' && booked === undefined;
    addTo(sums, `${currency} may_include_tax`, isGross ? signed : 0n);
  }
  return sums;
}

it('What counts and the lines of what does not add up to all that was reported', async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(world, fc.integer({ min: 2, max: 10 }), async (plan, day) => {
      const { live } = await bed.organisation();
      await make(live, plan);
      const until = `2026-03-${String(day).padStart(2, '0')}T00:00:00Z`;
      const sums = await expectedLines(live, until);
      const pnl = dataOf(await live.get(`/analytics/ai-pnl?end=${until}`), Pnl);
      for (const { currency, reported, ...lines } of pnl.reported) {
        let all = 0n;
        for (const [line, amount] of Object.entries(lines)) {
          const expected = sums.get(`${currency} ${line}`) ?? 0n;
          expect([currency, line, centsOf(amount)]).toEqual([currency, line, expected]);
          if (expected !== 0n) seen.add(line);
          if (line !== 'may_include_tax') all += expected;
        }
        expect(centsOf(reported)).toBe(all);
        const own = pnl.by_currency.find((books) => books.currency === currency);
        expect(centsOf(own?.total ?? '0')).toBe(centsOf(lines.counted));
      }
      expect([...sums].filter(([, sum]) => sum !== 0n).map(([name]) => name.slice(0, 3))).toSatisfy(
        (all: string[]) =>
          all.every((one) => pnl.reported.some(({ currency }) => currency === one)),
      );
      for (const line of LINES) await compareRows(live, until, line, sums);
    }),
    { numRuns: 12, seed: 26, examples: [[ONE_OF_EACH, 10]] },
  );
  expect(seen).toEqual(new Set(['counted', 'may_include_tax', ...LINES]));
});

/** The rows of a line add up to it, and have its label. */
async function compareRows(
  client: Client,
  until: string,
  line: (typeof LINES)[number],
  sums: ReadonlyMap<string, bigint>,
): Promise<void> {
  const path = `/analytics/ai-pnl/rows?figure=${line}&end=${until}`;
  const { rows, sum } = dataOf(await client.get(path), PnlRows);
  const own = new Map<string, bigint>();
  for (const row of rows) {
    expect(row).toMatchObject({ label: line, link_id: null, decision_id: null });
    if (line !== 'tax') expect(row.counted_amount).toBe('0');
    else
      expect(centsOf(row.counted_amount) + centsOf(row.amount)).toBeOneOf([
        centsOf(row.event_amount),
        -centsOf(row.event_amount),
      ]);
    own.set(row.currency, (own.get(row.currency) ?? 0n) + centsOf(row.amount));
  }
  for (const { currency, amount } of sum?.by_currency ?? []) {
    expect(centsOf(amount)).toBe(sums.get(`${currency} ${line}`) ?? 0n);
    expect(centsOf(amount)).toBe(own.get(currency) ?? 0n);
  }
  expect(sum?.by_currency.length).toBe(own.size);
}

it('An analysis of one agent says nothing of all money', async () => {
  const { live } = await bed.organisation();
  await recordEvent(live, { source: 'stripe', event_type: 'payout', amount: '-5' });
  const pnl = dataOf(await live.get('/analytics/ai-pnl?agent_id=a'), Pnl);
  expect(pnl.reported).toEqual([]);
  const rows = await live.get('/analytics/ai-pnl/rows?figure=planned&agent_id=a');
  expectRefusal(rows, 'validation_error', 'figure');
});
