import { RelatedEvent } from '@decision-ledger/contract/financial-event';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Client, dataOf } from '../../support/client.js';
import { describeEngine } from '../../support/engine.js';
import { recordEvent } from '../../support/money.js';
import { openTestService, type TestService } from '../../support/service.js';
import { eventsOf } from '../../support/webhooks.js';

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

  const record = async (
    event_type: string,
    external_id: string,
    amount: string,
    metadata: object = {},
  ) => {
    const fields = { source: 'stripe', event_type, external_id, amount, currency: 'EUR', metadata };
    return (await recordEvent(client, fields)).id;
  };
  const movementOf = async (id: string) =>
    dataOf(await client.get(`/financial-events/${id}`), RelatedEvent).movement;
  const relationsOf = async (id: string) =>
    (await movementOf(id)).relations
      .map(
        ({ direction, relation, report, reference }) =>
          `${direction} ${relation} ${report?.id ?? reference}`,
      )
      .sort();

  describe(`Relations of movements on ${engine}`, () => {
    const settled = (stripe_settled: string) => ({ stripe_settled, stripe_payout: 'po_1' });

    it('A payout is checked against what it consists of, and names what is missing', async () => {
      const usd = { source: 'stripe', event_type: 'charge', currency: 'USD' };
      const metadata = settled('92.13 EUR');
      const charge = { ...usd, external_id: 'ch_1', amount: '100.00', metadata };
      const { id } = await recordEvent(client, charge);
      await record('charge', 'ch_2', '50.00', settled('50.00 EUR'));
      const refund = await record('refund', 're_1', '-10.00', {
        ...settled('-10.00 EUR'),
        stripe_charge: 'ch_2',
      });
      await record('fee', 'txn_1', '-3.01', { stripe_payout: 'po_1' });
      await record('fee', 'txn_2', '-9.99', { stripe_payout: 'po_2' });
      const payout = await record('payout', 'po_1', '128.12');
      const sums = { currency: 'EUR', amount: '128.12', unknown: 0 };
      expect((await movementOf(payout)).parts).toEqual({
        ...sums,
        ...{ sum: '129.12', difference: '-1' },
        types: [
          { event_type: 'charge', count: 2, amount: '142.13' },
          { event_type: 'fee', count: 1, amount: '-3.01' },
          { event_type: 'refund', count: 1, amount: '-10' },
        ],
      });
      const late = await record('stripe_loan', 'txn_3', '-1.00', { stripe_payout: 'po_1' });
      expect((await movementOf(payout)).parts).toMatchObject({ sum: '128.12', difference: '0' });
      expect(await relationsOf(id)).toEqual([`to part_of ${payout}`]);
      expect(await relationsOf(refund)).toEqual([
        `to part_of ${payout}`,
        expect.stringMatching(/^to reverses evt_/),
      ]);
      expect((await client.delete(`/financial-events/${late}`)).status).toBe(200);
      expect((await movementOf(payout)).parts).toMatchObject({ difference: '-1' });
    });

    it('A part in a currency that nobody settled is counted as unknown', async () => {
      const charge = { source: 'stripe', event_type: 'charge', currency: 'USD', amount: '7.00' };
      for (const stripe_settled of [undefined, 'soon', '7.00 GBP']) {
        const metadata = {
          stripe_payout: 'po_1',
          ...(stripe_settled !== undefined && { stripe_settled }),
        };
        await recordEvent(client, { ...charge, external_id: `ch_${stripe_settled}`, metadata });
      }
      const payout = await record('payout', 'po_1', '7.00');
      expect((await movementOf(payout)).parts).toMatchObject({
        sum: '0',
        difference: '7',
        unknown: 3,
      });
    });

    it('A reversal of an unknown payment says so, until the payment is recorded', async () => {
      const refund = await record('refund', 're_1', '-5.00', { stripe_charge: 'ch_late' });
      await record('fee', 'txn_1', '-0.10', { stripe_charge: 'ch_late' });
      await recordEvent(client, { metadata: { reverses: ['several', 'of them'] } });
      const other = await recordEvent(client, { metadata: { reverses: 'INV-1' } });
      const listed = async () =>
        (await eventsOf(client, '&reverses_unknown=true')).map(({ id }) => id).sort();
      expect(await listed()).toEqual([refund, other.id].sort());
      await recordEvent(client, { external_id: 'INV-1' });
      expect(await listed()).toEqual([refund]);
      expect((await movementOf(refund)).relations).toEqual([
        {
          relation: 'reverses',
          direction: 'to',
          reference: 'ch_late',
          report: null,
          movement: null,
        },
      ]);
      const charge = await record('charge', 'ch_late', '5.00');
      expect((await movementOf(refund)).relations).toEqual([
        {
          ...{ relation: 'reverses', direction: 'to', reference: 'ch_late', movement: charge },
          report: { id: charge, event_type: 'charge', amount: '5.00', currency: 'EUR' },
        },
      ]);
      expect(await relationsOf(charge)).toEqual([`from reverses ${refund}`]);
      expect(await listed()).toEqual([]);
    });

    it('A relation of a witness is one of its movement', async () => {
      const charge = await record('charge', 'ch_1', '5.00');
      const refund = await record('refund', 're_1', '-5.00', { stripe_charge: 'ch_1' });
      const shop = { source: 'shop', external_id: 'order 1', amount: '5.00', currency: 'EUR' };
      const { id } = await recordEvent(client, shop);
      expect((await client.post('/movements/pair', { reports: [charge, id] })).status).toBe(200);
      expect(await relationsOf(id)).toEqual([`from reverses ${refund}`]);
      expect((await movementOf(refund)).relations).toMatchObject([{ movement: charge }]);
    });

    it('At most 100 relations are shown, and all parts are summed', async () => {
      for (let n = 0; n < 120; n += 8) {
        await Promise.all(
          Array.from({ length: 8 }, (_, at) =>
            record('fee', `txn_${n + at}`, '-0.10', { stripe_payout: 'po_1' }),
          ),
        );
      }
      const payout = await record('payout', 'po_1', '-12.00');
      const { relations, parts } = await movementOf(payout);
      expect(relations).toHaveLength(100);
      expect(parts).toMatchObject({ sum: '-12', difference: '0' });
    });

    it('No relation leads into another ledger', async () => {
      const other = (await bed.organisation()).live;
      const fields = { source: 'stripe', event_type: 'charge', external_id: 'ch_1' };
      await recordEvent(other, { ...fields, metadata: { stripe_payout: 'po_1' } });
      const refund = await record('refund', 're_1', '-5.00', { stripe_charge: 'ch_1' });
      expect(await relationsOf(refund)).toEqual(['to reverses ch_1']);
      expect((await movementOf(await record('payout', 'po_1', '1.00'))).parts).toBeNull();
    });
  });
});
