import { ConnectionStates } from '@decision-ledger/contract/accounting';
import { Pnl } from '@decision-ledger/contract/analytics';
import { PnlRows } from '@decision-ledger/contract/analytics-rows';
import { RelatedEvent } from '@decision-ledger/contract/financial-event';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Client, dataOf } from '../support/client.js';
import { describeEngine } from '../support/engine.js';
import { link, recordDecision, recordEvent } from '../support/money.js';
import { openTestService, type TestService } from '../support/service.js';
import {
  CREATED,
  charge,
  dispute,
  disputeTransaction,
  eventOf,
  type Payload,
  refund,
} from '../support/stripe-events.js';
import {
  deliver,
  eventsOf,
  receiptOf,
  SIGNING_SECRET,
  setSecrets,
  settled,
} from '../support/webhooks.js';
import { books } from './accounting/support/accounting.js';
import {
  describeHledger,
  type HledgerWeb,
  startHledgerWeb,
} from './accounting/support/hledger-web.js';

/**
 * What was wrong in kind, told as users do it: sources report, and the answers are right. More of each is tested beside its
 * source: `stripe-cash.unit` and `stripe-orders.engine`, `accounting-withheld.engine`, `accounting-edits.unit`,
 * `accounting-hledger.int`, `money-stored.int`, `money-parts.int`, `movements.engine`.
 */
describeEngine((engine) => {
  let bed: TestService;
  let live: Client;

  beforeAll(async () => {
    bed = await openTestService(engine, { isWorker: true });
  });
  afterAll(() => bed.close());
  beforeEach(async () => {
    live = (await bed.organisation()).live;
    await setSecrets(live, SIGNING_SECRET);
  });

  const pnl = async () => dataOf(await live.get('/analytics/ai-pnl'), Pnl);
  const total = async () => (await pnl()).total;
  const told = (type: string, at: number, object: Payload) =>
    eventOf(type, { ...object, livemode: true }, { created: CREATED + at, livemode: true });
  async function receive(...events: Payload[]): Promise<void> {
    for (const event of events) receiptOf(await deliver(bed, live, event));
    await settled(bed.service);
  }
  async function confirm(...events: string[]): Promise<void> {
    for (const event of events) {
      const body = link(await recordDecision(live), event, { correlation_strength: 1 });
      expect((await live.post('/links', body)).status).toBe(201);
    }
  }
  const confirmed = async () => {
    const { rows } = dataOf(await live.get('/analytics/ai-pnl/rows?figure=confirmed.net'), PnlRows);
    return rows.map(({ amount, financial_event_id }) => [Number(amount), financial_event_id]);
  };

  const held = { captured: false, amount_captured: 0, balance_transaction: null };

  it('An authorisation that is cancelled moved nothing', async () => {
    const sold = { amount: 50000, ...held };
    await receive(
      told('charge.succeeded', 0, charge(sold)),
      told('refund.created', 100, refund({ amount: 50000, balance_transaction: null })),
      told('charge.refunded', 100, charge({ ...sold, amount_refunded: 50000 })),
    );
    expect(await total()).toBe('0.00');
  });

  it('A partial capture counts what was captured', async () => {
    await receive(
      told('charge.succeeded', 0, charge({ amount: 2095, ...held })),
      told(
        'charge.captured',
        50,
        charge({ amount: 2095, amount_captured: 1000, amount_refunded: 1095 }),
      ),
      told('refund.created', 50, refund({ amount: 1095, balance_transaction: null })),
    );
    expect(await total()).toBe('10.00');
  });

  it('A dispute that is partly reinstated brings back what the payload says', async () => {
    const taken = { ...disputeTransaction('txn_taken', -9000), fee: 0, net: -9000 };
    const back = disputeTransaction('txn_back', 5000);
    const disputed = (status: string, ...balance_transactions: Payload[]) =>
      dispute({ amount: 9000, status, balance_transactions });
    await receive(
      told('charge.succeeded', 0, charge({ amount: 9000 })),
      told('charge.dispute.funds_withdrawn', 10, disputed('under_review', taken)),
    );
    expect(await total()).toBe('0.00');
    await receive(told('charge.dispute.funds_reinstated', 20, disputed('won', taken, back)));
    expect(await total()).toBe('50.00');
  });

  it('Refunds are known from the totals of their charge alone', async () => {
    const refunded = (amount_refunded: number, at: number) =>
      told('charge.refunded', at, charge({ amount: 9000, amount_refunded }));
    await receive(told('charge.succeeded', 0, charge({ amount: 9000 })), refunded(1000, 10));
    expect(await total()).toBe('80.00');
    await receive(refunded(2500, 20));
    expect(await total()).toBe('65.00');
  });

  it('A charge in a currency that was tender on its day is recorded', async () => {
    const created = Date.UTC(2025, 11, 15) / 1000;
    const paid = charge({ amount: 4000, currency: 'bgn', created });
    await receive(told('charge.succeeded', created - CREATED, paid));
    expect(await eventsOf(live)).toMatchObject([{ amount: '40.00', currency: 'BGN' }]);
  });

  it('What a source without signs calls by an unknown name is in no figure until somebody says what it is', async () => {
    const settings = { attribution: { unsigned_sources: ['psp'] } };
    expect((await live.patch('/settings', settings)).status).toBe(200);
    const { id } = await recordEvent(live, {
      source: 'psp',
      event_type: 'adjusted',
      amount: '30.00',
    });
    await settled(bed.service);
    expect(await total()).toBe('0.00');
    expect((await eventsOf(live, '&standing=unclassified')).map((event) => event.id)).toEqual([id]);
    await confirm(id);
    expect(await total()).toBe('30.00');
  });

  it('A payout is its charges less refunds and fees, and its line of the bank and its posting as one sum count nothing', async () => {
    const timestamp = '2026-03-09T08:00:00Z';
    const at = (source: string, event_type: string, amount: string, metadata: object = {}) =>
      recordEvent(live, { source, event_type, amount, currency: 'USD', timestamp, metadata });
    const part = { stripe_payout: 'po_90001' };
    const parts: readonly (readonly [string, string])[] = [
      ...([
        ['charge', '100.00'],
        ['charge', '70.00'],
        ['refund', '-20.00'],
      ] as const),
      ...([
        ['fee', '-2.00'],
        ['fee', '-1.00'],
      ] as const),
    ];
    for (const [type, amount] of parts) await at('stripe', type, amount, part);
    await at('accounting/main', 'revenue', '147.00');
    const posting = {
      ...{ currency: 'USD', total: '150', untaxed: '150', fee: '-3', settled: '147' },
    };
    await at('accounting/main', 'expense', '-3.00', { transaction: posting });
    await at('accounting/main', 'revenue', '150.00', { transaction: posting });
    await settled(bed.service);
    expect(await total()).toBe('441.00');
    const line = await at('bank/main', 'payout', '147.00');
    const { id } = await recordEvent(live, {
      ...{ source: 'stripe', event_type: 'payout', amount: '147.00', currency: 'USD', timestamp },
      ...{ external_id: 'po_90001', metadata: { payout_fees: '-3.00 USD' } },
    });
    await settled(bed.service);
    expect(await total()).toBe('294.00');
    const { movement } = dataOf(await live.get(`/financial-events/${line.id}`), RelatedEvent);
    expect([movement.lead, movement.reports.length]).toEqual([id, 4]);
    expect(movement.parts).toMatchObject({ amount: '147.00', sum: '147', difference: '0' });
  });

  describeHledger('With books', () => {
    let web: HledgerWeb;
    let planning: HledgerWeb;

    beforeAll(async () => {
      web = await startHledgerWeb();
      planning = await startHledgerWeb(['--auto', '--forecast=2020-01-01..2020-05-01']);
    });
    afterAll(async () => {
      await web.stop();
      await planning.stop();
    });
    beforeEach(() => web.write(''));

    const connect = async (fields: object = {}, { url } = web) =>
      expect((await live.patch('/settings', { accounting: [books(url, fields)] })).status).toBe(
        200,
      );
    const state = async () => {
      const { connections } = dataOf(await live.get('/accounting/connections'), ConnectionStates);
      return connections[0];
    };
    async function poll(journal: string, server = web): Promise<void> {
      server.write(journal);
      expect((await live.post('/accounting/connections/books/poll', {})).status).toBe(202);
      await settled(bed.service);
    }
    const idOf = async (text: string) =>
      (await eventsOf(live)).find(({ description }) => description === text)?.id ?? '';

    const booked = (
      n: number,
      dollars: number,
    ) => `2026-03-02 ${n % 2 === 0 ? `(ch_${n}) ` : ''}Sale ${n}
    assets:bank     $${dollars}.00
    revenues:saas
`;
    const sales = (from: number, to: number) =>
      Array.from({ length: to - from }, (_none, k) => booked(from + k, 100 + from + k)).join('\n');

    it('The same 25 sales of Stripe and of the books count once, and a decision is linked once to both reports of one', async () => {
      const dollars = (n: number) => (n < 24 ? 100 + n : 235);
      await connect();
      const paid = Array.from({ length: 25 }, (_none, n) =>
        told(
          'charge.succeeded',
          n,
          charge({ id: `ch_${n}`, payment_intent: `pi_${n}`, amount: dollars(n) * 100 }),
        ),
      );
      await receive(...paid);
      await poll(Array.from({ length: 25 }, (_none, n) => booked(n, dollars(n))).join('\n'));
      expect(await total()).toBe('2911.00');
      const events = await eventsOf(live);
      expect(events).toHaveLength(50);
      expect(events.filter(({ movement }) => movement.reports.length !== 2)).toEqual([]);
      const [first] = events;
      const [one = '', other = ''] = first?.movement.reports ?? [];
      const decision = await recordDecision(live);
      const linked = async (event: string) =>
        (await live.post('/links', link(decision, event, { correlation_strength: 1 }))).status;
      expect([await linked(one), await linked(other)]).toEqual([201, 409]);
      await settled(bed.service);
      expect(await confirmed()).toEqual([[Number(first?.amount), first?.movement.lead]]);
      expect(await total()).toBe('2911.00');
    });

    it('A charge counts without the tax that the books state, and so do its links and its refund', async () => {
      await connect();
      await receive(
        told('charge.succeeded', 0, charge({ id: 'ch_9', amount: 10000 })),
        told('refund.created', 90, refund({ id: 're_9', charge: 'ch_9', amount: 2000 })),
      );
      expect(await total()).toBe('80.00');
      const sale = `2026-03-02 (ch_9) Sale
    assets:stripe      $100.00
    liabilities:vat    $-15.97
    revenues:saas
`;
      await poll(sale);
      const [sold] = await eventsOf(live, '&kind=sale');
      expect(sold?.movement.reports).toHaveLength(2);
      expect(await total()).toBe('64.03');
      const [back] = await eventsOf(live, '&kind=refund');
      await confirm(sold?.id ?? '');
      const refunded = [-20, back?.id];
      expect(await confirmed()).toEqual([[84.03, sold?.movement.lead], refunded]);
      await poll(`${sale}
2026-03-02 (re_9) Refund
    assets:stripe      $-20.00
    liabilities:vat      $3.19
    revenues:saas
`);
      expect(await pnl()).toMatchObject({
        total: '67.22',
        reported: [{ counted: '67.22', tax: '12.78', counted_once: '67.22', reported: '147.22' }],
      });
    });

    it('A journal that is empty for one poll changes nothing, and says what was withheld', async () => {
      await connect();
      await poll(sales(0, 20));
      await confirm(await idOf('Sale 3'));
      const before = [await total(), await confirmed()];
      await poll('');
      expect([await total(), await confirmed()]).toEqual(before);
      expect((await state())?.withheld).toMatchObject({ deleted: 20, confirmed: 1 });
      expect((await state())?.problem).toMatch(/release plan/);
      await poll(sales(0, 20));
      expect([await total(), await confirmed()]).toEqual(before);
      expect(await state()).toMatchObject({ withheld: null, problem: null });
    });

    it('The correction of a description without a code keeps the confirmed link', async () => {
      await connect();
      await poll(sales(0, 20));
      await confirm(await idOf('Sale 3'));
      await poll(sales(0, 20).replace('Sale 3\n', 'Sale 3 (corrected)\n'));
      expect(await confirmed()).toEqual([[103, await idOf('Sale 3 (corrected)')]]);
    });

    it('A posting in a withdrawn currency is a problem of its own, and the others count', async () => {
      await connect();
      const late = '2026-03-05 (A9) kuna\n    expenses:fee   3.00 HRK\n    assets:x\n\n';
      await poll(late + sales(0, 2));
      expect(await total()).toBe('201.00');
      expect(await state()).toMatchObject({
        problem_count: 1,
        problem: expect.stringMatching(/line 1.*HRK/),
      });
    });

    it('An invoice and its payment count once, by the payment, and so does a bill', async () => {
      await connect();
      const invoice = `2026-03-01 (I-1) invoice
    assets:receivable               $119.00
    liabilities:vat                 $-19.00
    revenues
2026-03-02 (B-1) bill
    expenses:hosting                 $30.00
    liabilities:accounts payable
`;
      await poll(invoice);
      expect(await total()).toBe('0.00');
      await poll(`${invoice}
2026-03-20 (P-1) payment, of which a fee was kept
    assets:stripe                   $116.50
    expenses:fees                     $2.50
    assets:receivable              $-119.00
2026-03-21 (B-2) paid
    liabilities:accounts payable     $30.00
    assets:bank
`);
      expect(await total()).toBe('86.50');
    });

    it('Invoices count once, when they are paid: not at all, in two parts, or two together', async () => {
      await connect();
      const invoice = (name: string, dollars: number) => `2026-03-01 (${name}) invoice
    assets:receivable     $${dollars}.00
    revenues
`;
      const payment = (
        day: number,
        text: string,
        dollars: number,
      ) => `2026-03-${day} payment of ${text}
    assets:bank     $${dollars}.00
    assets:receivable
`;
      const paid = (n: number, at: number, dollars: number, order_id: string) => {
        const named = { id: `ch_${n}`, payment_intent: `pi_${n}`, metadata: { order_id } };
        const created = CREATED + at;
        return told('charge.succeeded', at, charge({ ...named, created, amount: dollars * 100 }));
      };
      const DAY = 86_400;
      const start = Date.UTC(2026, 2, 10) / 1000 - CREATED;
      await poll(
        [
          ...[invoice('INV-0050', 500), invoice('INV-0051', 500)],
          ...[invoice('INV-0052', 100), invoice('INV-0053', 150)],
        ].join('\n'),
      );
      expect(await total()).toBe('0.00');
      await poll(
        [
          ...[invoice('INV-0050', 500), invoice('INV-0051', 500)],
          ...[invoice('INV-0052', 100), invoice('INV-0053', 150)],
          ...[payment(10, 'INV-0051', 200), payment(20, 'INV-0051', 300)],
          payment(12, 'INV-0052 INV-0053', 250),
        ].join('\n'),
      );
      expect(await total()).toBe('750.00');
      await receive(
        paid(1, start, 200, 'INV-0051'),
        paid(2, start + 10 * DAY, 300, 'INV-0051'),
        paid(3, start + 2 * DAY, 250, 'INV-0052'),
      );
      expect(await total()).toBe('750.00');
    });

    it('What is paid before it is earned counts once, when it is paid: a year of a subscription, and a voucher', async () => {
      await connect();
      const paid = (n: number, dollars: number) =>
        told(
          'charge.succeeded',
          n,
          charge({ ...{ id: `ch_${n}`, payment_intent: `pi_${n}` }, amount: dollars * 100 }),
        );
      await receive(paid(1, 1200), paid(2, 50), paid(3, 30));
      expect(await total()).toBe('1280.00');
      await poll(`2026-03-02 (ch_1) A year
    assets:stripe            $1200.00
    liabilities:deferred
2026-03-02 (ch_2) Voucher
    assets:stripe              $50.00
    liabilities:Gutscheine
2026-03-02 (ch_3) Sale for a voucher and money
    assets:stripe              $30.00
    liabilities:Gutscheine     $50.00
    income:sales
2026-04-01 The first month
    liabilities:deferred      $100.00
    income:subscriptions
`);
      expect(await pnl()).toMatchObject({
        total: '1280.00',
        reported: [{ counted: '1280.00', planned: '100.00' }],
      });
    });

    it('What is pending counts once it is cleared', async () => {
      await connect();
      await poll(sales(0, 1).replace('2026-03-02', '2026-03-02 !'));
      expect(await total()).toBe('0.00');
      await poll(sales(0, 1));
      expect(await total()).toBe('100.00');
    });

    it('What is planned by rules of the journal is no money', async () => {
      await connect({}, planning);
      await poll(
        `${sales(0, 1)}
~ monthly from 2020-01 to 2020-04  rent
    expenses:rent         $900.00
    assets:bank

= revenues:saas
    expenses:commission   *-0.1
    assets:owed           *0.1
`,
        planning,
      );
      expect(await total()).toBe('100.00');
    });

    it('Accounts are read by their declared type, and commodities as the connection says', async () => {
      await connect({ commodities: { kr: 'SEK', R$: 'BRL', $: 'AUD' } });
      await poll(`account Einnahmen  ; type: R
account Ausgaben  ; type: X

2026-03-01 Rechnung 7
    Vermögen:Bank        500.00 EUR
    Einnahmen:Beratung
2026-03-02 Miete
    Ausgaben:Miete       120.50 kr
    Ausgaben:Miete        R$46.00
    Ausgaben:Miete        $2.00
    Vermögen:Bank
`);
      expect((await state())?.problem).toBeNull();
      const read = (await eventsOf(live)).map(({ amount, currency }) => `${amount} ${currency}`);
      expect(read.sort()).toEqual(['-120.5 SEK', '-2 AUD', '-46 BRL', '500 EUR']);
    });
  });
});
