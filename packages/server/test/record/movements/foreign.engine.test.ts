import { SameMoneyPage } from '@decision-ledger/contract/same-money';
import { SettingsChange } from '@decision-ledger/contract/settings-forms';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { selectBehind } from '#server/platform/followers/behind';
import { type Client, dataOf } from '../../support/client.js';
import { describeEngine } from '../../support/engine.js';
import { followLogs } from '../../support/followers.js';
import { recordEvent } from '../../support/money.js';
import { openTestService, type TestService } from '../../support/service.js';

const rate = (from: string, to: string, value: string) => ({
  ...{ from, to, date: '2026-01-01', rate: value },
});
const RATES = {
  base_currency: 'EUR',
  exchange_rates: [
    rate('USD', 'EUR', '0.92'),
    rate('GBP', 'EUR', '1.17'),
    rate('JPY', 'EUR', '0.006'),
  ],
};

interface Told {
  readonly source: string;
  readonly amount: string;
  readonly currency: string;
  readonly event_type?: string;
  readonly day?: number;
}

describeEngine((engine) => {
  let bed: TestService;
  let client: Client;

  beforeAll(async () => {
    bed = await openTestService(engine);
  });
  beforeEach(async () => {
    client = (await bed.organisation()).live;
  });
  afterAll(() => bed.close());

  const record = async ({ event_type = 'sale', day = 2, ...money }: Told) => {
    const timestamp = `2026-03-0${day}T12:00:00Z`;
    const { id } = await recordEvent(client, { ...money, event_type, timestamp, metadata: {} });
    return id;
  };
  const set = async (settings: object) =>
    dataOf(await client.patch('/settings', settings), SettingsChange);
  /** Until nothing waits to be compared again. */
  const follow = async () => {
    await followLogs(bed.service);
    const { installation, followers, clock } = bed.service;
    expect(await selectBehind(installation, followers, clock.now(), null)).toEqual([]);
  };
  /** Postings with what they may be of. */
  const asked = async () => {
    const { reports } = dataOf(await client.get('/movements/same-money'), SameMoneyPage);
    return reports
      .filter(({ report }) => report.source.startsWith('accounting/'))
      .flatMap(({ report, possible }) =>
        possible.map(({ financial_event, doubt }) => [report.id, financial_event.id, doubt]),
      );
  };

  describe('A posting of the books in another currency, without a reference', () => {
    const CHARGE: Told = { source: 'stripe', amount: '100.00', currency: 'USD' };
    const POSTING: Told = { source: 'accounting/main', amount: '92.40', currency: 'EUR', day: 3 };

    it.each<[string, Told, Told]>([
      ['a charge in dollars, and books in euros', CHARGE, POSTING],
      [
        'a sale of the shop in euros, and books in pounds',
        { source: 'shop', amount: '117.00', currency: 'EUR', day: 5 },
        { source: 'accounting/uk', amount: '99.50', currency: 'GBP', day: 1 },
      ],
      [
        'a refund in yen, and books in dollars',
        { source: 'paypal/jp', amount: '-15400', currency: 'JPY', event_type: 'refund' },
        { source: 'accounting/us', amount: '-100.00', currency: 'USD', event_type: 'refund' },
      ],
      [
        'a fee of one cent, at the edge of a step',
        { source: 'mollie', amount: '-1.00', currency: 'GBP', event_type: 'fee' },
        { source: 'accounting/main', amount: '-1.17', currency: 'EUR', event_type: 'expense' },
      ],
    ])('It is asked about, whichever comes first: %s', async (_words, money, posting) => {
      await set(RATES);
      const [one, booked] = [await record(money), await record(posting)];
      await follow();
      expect(await asked()).toEqual([[booked, one, 'other_amount']]);
      await client.delete(`/financial-events/${one}`);
      await follow();
      expect(await asked()).toEqual([]);
      const again = await record(money);
      await follow();
      expect(await asked()).toEqual([[booked, again, 'other_amount']]);
    });

    it.each<[string, Told, Told]>([
      ['it is worth 2 per cent less', CHARGE, { ...POSTING, amount: '90.10' }],
      ['it is of the other direction', CHARGE, { ...POSTING, amount: '-92.00' }],
      ['it is six days later', CHARGE, { ...POSTING, day: 8 }],
      ['it is of another kind', { ...CHARGE, event_type: 'payout' }, POSTING],
      ['its currency has no rate', CHARGE, { ...POSTING, amount: '1000.00', currency: 'SEK' }],
      ['neither is of the books', CHARGE, { ...POSTING, source: 'shop' }],
      ['both are', { ...CHARGE, source: 'accounting/us' }, POSTING],
    ])('Nothing is asked if %s', async (_words, money, posting) => {
      await set(RATES);
      await record(money);
      await record(posting);
      await follow();
      expect(await asked()).toEqual([]);
    });

    it('Nothing is asked once the books have the money, nor after somebody said that it is not the same', async () => {
      await set(RATES);
      const booked = await record(POSTING);
      const [first, second] = [await record(CHARGE), await record({ ...CHARGE, day: 4 })];
      await follow();
      expect((await asked()).map(([, id]) => id).sort()).toEqual([first, second].sort());
      await client.post('/movements/part', { report: booked, from: first });
      await follow();
      expect((await asked()).map(([, id]) => id)).toEqual([second]);
      const own = await record({
        source: 'accounting/main',
        amount: '100.00',
        currency: 'USD',
        day: 4,
      });
      await client.post('/movements/pair', { reports: [second, own] });
      await follow();
      expect(await asked()).toEqual([]);
    });
  });
});
