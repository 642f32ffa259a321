import { Pnl } from '@decision-ledger/contract/analytics';
import { PnlRows } from '@decision-ledger/contract/analytics-rows';
import { ActivityPage } from '@decision-ledger/contract/chain';
import { Movement, PairedMovement, ReportedEvent } from '@decision-ledger/contract/financial-event';
import { Link } from '@decision-ledger/contract/link';
import { SameMoneyPage } from '@decision-ledger/contract/same-money';
import fc from 'fast-check';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { reconcileWithHistory } from '#server/domains/evidence/reconciliation/index';
import { recordEvent as recordStored } from '#server/domains/record/financial-events/index';
import { type Judged, reportOf } from '#server/domains/record/movements/rules/report';
import { settle } from '#server/domains/record/movements/rules/same-money';
import { idToUuid, uuidToId } from '#server/platform/ids';
import { isThorough } from '../../../../proof/test/support/runs.js';
import { type Client, dataOf, expectRefusal } from '../../support/client.js';
import { describeEngine } from '../../support/engine.js';
import { decide } from '../../support/estimates.js';
import { bundleOf, CONSISTENT, check, jsonOf, verdictsOf } from '../../support/exports.js';
import { followLogs } from '../../support/followers.js';
import { link, recordDecision, recordEvent } from '../../support/money.js';
import { openTestService, scopeOf, type TestService } from '../../support/service.js';
import { eventsOf } from '../../support/webhooks.js';

const CHARGED = '2026-03-10T12:00:00.000Z';
const BOOKED = '2026-03-12T00:00:00.000Z';
const JUDGED: Judged = {
  ...{ kind: 'sale', isOwn: false, sign: 1, worth: null, customerKey: 'customer_id' },
  ...{ span: { earliest: 0, latest: 0 }, repeats: [], carriers: null },
};
const SALE = { event_type: 'payment', amount: '19.90', currency: 'USD', metadata: {} };
const CHARGE = { ...SALE, source: 'stripe', external_id: 'ch_1001', timestamp: CHARGED };
const BOOKING = { ...SALE, source: 'accounting/main', external_id: 'B 1', timestamp: BOOKED };

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

  const record = async (fields: Readonly<Record<string, unknown>>) =>
    (await recordEvent(client, fields)).id;
  const pair = (...reports: string[]) => client.post('/movements/pair', { reports });
  const part = (report: string) => client.post('/movements/part', { report });
  const withdraw = (...reports: string[]) => client.post('/movements/withdraw', { reports });
  const queue = async () => dataOf(await client.get('/movements/same-money'), SameMoneyPage);
  const movementOf = async (id: string) => {
    const { movement } = dataOf(await client.get(`/financial-events/${id}`), ReportedEvent);
    return { lead: movement.lead, reports: movement.reports };
  };
  const totalOf = async (query = '') =>
    dataOf(await client.get(`/analytics/ai-pnl${query}`), Pnl).total;
  const follow = () => followLogs(bed.service);
  const ledger = async () => bed.service.db.ledger(await scopeOf(bed, client));
  async function expectConsistent(): Promise<void> {
    const { findings } = await reconcileWithHistory(await ledger());
    expect(findings).toEqual([]);
  }
  const linked = async (financial_event_id: string, decision_id: string, strength: number) =>
    dataOf(
      await client.post('/links', {
        ...link(decision_id, financial_event_id),
        ...{ correlation_strength: strength, link_type: 'revenue' },
      }),
      Link,
      201,
    ).id;
  const rows = async () =>
    dataOf(await client.get('/analytics/ai-pnl/rows?figure=confirmed.net'), PnlRows).rows;

  describe('Two reports that a person pairs', () => {
    it('They count once, by the report that leads, and twice again once they are parted', async () => {
      const booking = await record(BOOKING);
      const charge = await record({ ...CHARGE, external_id: 'a', amount: '21.00' });
      const movement = { lead: charge, reports: [booking, charge].sort() };
      expect(await totalOf()).toBe('40.90');
      expect(dataOf(await pair(booking, charge), Movement)).toEqual(movement);
      expect(await totalOf()).toBe('21.00');
      expect(await movementOf(booking)).toEqual(movement);
      await expectConsistent();
      expect(dataOf(await part(charge), Movement)).toEqual({ lead: charge, reports: [charge] });
      expect(await totalOf()).toBe('40.90');
      await expectConsistent();
    });

    it('Their links share one amount, and each goes with its report', async () => {
      const [charge, booking] = [await record(CHARGE), await record(BOOKING)];
      const [one, other] = [await recordDecision(client), await recordDecision(client)];
      const first = await linked(charge, one, 0.5);
      const second = await linked(booking, other, 1);
      dataOf(await pair(charge, booking), Movement);
      const shares = async () =>
        new Map((await rows()).map((row) => [row.link_id, [row.financial_event_id, row.amount]]));
      expect(await shares()).toEqual(
        new Map([
          [first, [charge, '6.633333333333']],
          [second, [charge, '13.266666666667']],
        ]),
      );
      const again = await client.post('/links', {
        ...link(one, booking),
        ...{ correlation_strength: 0.1, link_type: 'revenue' },
      });
      expectRefusal(again, 'conflict');
      dataOf(await part(booking), Movement);
      expect(await shares()).toEqual(
        new Map([
          [first, [charge, '9.950000000000']],
          [second, [booking, '19.900000000000']],
        ]),
      );
      await expectConsistent();
    });

    it('The links of people to any of them decide the sign, and opposite ones are refused', async () => {
      const [charge, booking] = [await record(CHARGE), await record(BOOKING)];
      const decision_id = await recordDecision(client);
      dataOf(await pair(charge, booking), Movement);
      const cost = link(decision_id, booking, { link_type: 'cost' });
      dataOf(await client.post('/links', cost), Link, 201);
      expect(await totalOf()).toBe('-19.90');
      const third = await record({ ...BOOKING, source: 'shop', external_id: 'x' });
      await linked(third, decision_id, 1);
      expectRefusal(await pair(third, charge), 'conflict');
      const revenue = link(decision_id, charge, { link_type: 'revenue' });
      expectRefusal(await client.post('/links', revenue), 'conflict');
    });

    it('No pair brings two reports of one source together that nobody named, nor incoming and outgoing money', async () => {
      const [first, second] = [
        await record(CHARGE),
        await record({ ...CHARGE, external_id: 'p2' }),
      ];
      const till = await record({ ...BOOKING, source: 'till', external_id: 't1' });
      dataOf(await pair(first, till), Movement);
      const refused = await pair(second, till);
      expectRefusal(refused, 'conflict');
      expect(refused.text).toContain(first);
      expect(await totalOf()).toBe('39.80');
      dataOf(await pair(first, second), Movement);
      expect(await totalOf()).toBe('19.90');
      const refund = await record({ ...BOOKING, external_id: 'r1', amount: '-19.90' });
      expectRefusal(await pair(refund, till), 'conflict');
      await expectConsistent();
    });

    it('A transfer in the books is paired with its lines at the bank, whatever their direction, and counts nothing', async () => {
      const { external_id: _reference, ...line } = { ...BOOKING, event_type: 'debit' };
      const booked = { source: 'accounting/books', event_type: 'transfer', amount: '5000.00' };
      const transfer = await record({ ...line, ...booked });
      const out = await record({ ...line, source: 'bank/main', amount: '-5000.00' });
      const into = await record({ ...line, source: 'bank/savings', amount: '5000.00' });
      const charge = await record(CHARGE);
      await follow();
      const asked = (await queue()).reports.find(({ report }) => report.id === transfer)?.possible;
      expect(
        asked?.map(({ doubt, financial_event }) => [doubt, financial_event.id]).sort(),
      ).toEqual([out, into].map((id) => ['other_kind', id]).sort());
      dataOf(await pair(transfer, out), Movement);
      expect(await totalOf()).toBe('5019.90');
      dataOf(await pair(transfer, into), Movement);
      expect(await totalOf()).toBe('19.90');
      expectRefusal(await pair(out, charge), 'conflict');
      await expectConsistent();
      dataOf(await part(out), Movement);
      expect(await totalOf()).toBe('-4980.10');
    });

    it('They count without the tax that one of them states while it does, and their links share what counts', async () => {
      const transaction = { currency: 'USD', total: '19.90', untaxed: '16.72', tax: '3.18' };
      const booked = { ...BOOKING, amount: '16.72', metadata: { account: 'income', transaction } };
      const [charge, booking] = [await record(CHARGE), await record({ ...booked })];
      const linkId = await linked(charge, await recordDecision(client), 0.5);
      const state = async () => [await totalOf(), (await rows()).map(({ amount }) => amount)];
      const apart = ['36.62', ['9.950000000000']];
      expect(await state()).toEqual(apart);
      dataOf(await pair(booking, charge), Movement);
      expect(await state()).toEqual(['16.72', ['8.360000000000']]);
      await expectConsistent();
      dataOf(await part(booking), Movement);
      expect(await state()).toEqual(apart);
      dataOf(await pair(charge, booking), Movement);
      // The settings say the direction, and that the money moved.
      const planned = { event_types: ['payment'], kind: 'sale', state: 'planned' };
      const profiles = [{ name: 'Later', source: '*', kinds: [planned] }];
      await client.patch('/settings', { attribution: { profiles } });
      await follow();
      expect(await state()).toEqual(['0.00', ['0.000000000000']]);
      await client.patch('/settings', { attribution: { profiles: [] } });
      await follow();
      expect(await state()).toEqual(['16.72', ['8.360000000000']]);
      await expectConsistent();
      await client.delete(`/financial-events/${booking}`);
      expect(await rows()).toMatchObject([{ link_id: linkId, counted_amount: '19.90' }]);
      expect(await totalOf()).toBe('19.90');
      await expectConsistent();
    });

    it('They count if one of them moved, whichever leads, and not any more once it is parted', async () => {
      const promised = await record({ ...CHARGE, source: 'adyen', event_type: 'AUTHORISATION' });
      const booking = await record(BOOKING);
      await follow();
      expect(await totalOf()).toBe('19.90');
      dataOf(await pair(promised, booking), Movement);
      expect((await movementOf(booking)).lead).toBe(promised);
      expect(await totalOf()).toBe('19.90');
      await expectConsistent();
      dataOf(await part(booking), Movement);
      await client.delete(`/financial-events/${booking}`);
      expect(await totalOf()).toBe('0.00');
      await expectConsistent();
    });

    it('A deleted report leaves, and the next one leads', async () => {
      const [charge, booking] = [await record(CHARGE), await record(BOOKING)];
      const linkId = await linked(booking, await recordDecision(client), 1);
      dataOf(await pair(charge, booking), Movement);
      await client.delete(`/financial-events/${charge}`);
      expect(await movementOf(charge)).toEqual({ lead: charge, reports: [charge] });
      expect(await movementOf(booking)).toEqual({ lead: booking, reports: [booking] });
      expect(await rows()).toMatchObject([{ link_id: linkId, amount: '19.900000000000' }]);
      expectRefusal(await pair(charge, booking), 'invalid_state');
      expectRefusal(await part(booking), 'invalid_state');
      await expectConsistent();
    });

    it('A report that supersedes one takes its place, and no rule parts what a person paired', async () => {
      const [charge, booking] = [await record(CHARGE), await record({ ...BOOKING, amount: '20' })];
      dataOf(await pair(charge, booking), Movement);
      const scope = await scopeOf(bed, client);
      const actor = { scope, actor: 'connector' };
      const next = await bed.service.db.ledger(scope).write((tx) =>
        recordStored(
          tx,
          bed.service.hooks,
          actor,
          { ...CHARGE, amount: '25.00' },
          {
            supersedes: idToUuid('evt', charge) ?? '',
          },
        ),
      );
      const successor = uuidToId('evt', next.event_id);
      await follow();
      expect(await movementOf(booking)).toEqual({
        lead: successor,
        reports: [booking, successor].sort(),
      });
      expect(await totalOf()).toBe('25.00');
      await expectConsistent();
    });
  });

  describe('Rules', () => {
    it('They pair what is certain, and part it when a second possibility comes', async () => {
      const [booking, charge] = [await record(BOOKING), await record(CHARGE)];
      await follow();
      expect(await movementOf(booking)).toEqual({
        lead: charge,
        reports: [booking, charge].sort(),
      });
      expect(await totalOf()).toBe('19.90');
      const second = await record({ ...BOOKING, external_id: 'B 2' });
      await follow();
      expect(await totalOf()).toBe('59.70');
      const { reports } = dataOf(await client.get('/movements/same-money'), SameMoneyPage);
      const ids = reports.map(({ report }) => report.id);
      expect(ids.sort()).toEqual([booking, charge, second].sort());
      const ofCharge = reports.find(({ report }) => report.id === charge)?.possible;
      expect(
        ofCharge?.map(({ financial_event, doubt }) => [financial_event.id, doubt]).sort(),
      ).toEqual([booking, second].sort().map((id) => [id, 'several_possibilities']));
      await client.delete(`/financial-events/${second}`);
      await follow();
      expect(await totalOf()).toBe('19.90');
      expect(dataOf(await client.get('/movements/same-money'), SameMoneyPage).reports).toEqual([]);
      await expectConsistent();
    });

    it('They never undo the parting of a person, and a page of the queue goes on where the last one ended', async () => {
      const [booking, charge] = [await record(BOOKING), await record(CHARGE)];
      await follow();
      dataOf(await part(booking), Movement);
      await follow();
      expect(await totalOf()).toBe('39.80');
      const [one, other] = [await record(BOOKING), await record(BOOKING)];
      await follow();
      const first = dataOf(await client.get('/movements/same-money?limit=2'), SameMoneyPage);
      const cursor = encodeURIComponent(first.next_cursor ?? '');
      const path = `/movements/same-money?limit=2&cursor=${cursor}`;
      const second = dataOf(await client.get(path), SameMoneyPage);
      expect(second.next_cursor).toBe(null);
      const listed = [...first.reports, ...second.reports].map(({ report }) => report.id);
      expect(listed.sort()).toEqual([one, other, charge].sort());
    });

    it('A refund that names only its payment is booked under the order of that, while the payment is known', async () => {
      const about = { stripe_charge: 'ch_1001' };
      const back = { event_type: 'refund', amount: '-9.00', metadata: about };
      const refund = await record({ ...CHARGE, ...back, external_id: 're_1001' });
      const posted = { event_type: 'revenue', amount: '-9.00', external_id: 'A-100399' };
      const posting = await record({
        ...{ ...BOOKING, ...posted },
        timestamp: '2026-04-02T00:00:00.000Z',
      });
      await follow();
      expect((await movementOf(refund)).reports).toEqual([refund]);
      const told = await record({ ...CHARGE, ...back, ...posted, source: 'shop', metadata: {} });
      await follow();
      expect((await movementOf(told)).reports).toEqual([told, posting].sort());
      const charge = await record({ ...CHARGE, metadata: { order_id: 'A-100399' } });
      await follow();
      expect((await movementOf(refund)).reports).toEqual([refund, posting, told].sort());
      await client.delete(`/financial-events/${charge}`);
      await follow();
      expect((await movementOf(refund)).reports).toEqual([refund]);
      await expectConsistent();
    });

    it('A sale of another customer leaves a posting once a charge shows whose that is', async () => {
      const sale = await record({
        ...{ ...SALE, source: 'shop', external_id: 'A-103007', timestamp: CHARGED },
        metadata: { customer_id: 'C-1173' },
      });
      const posting = await record({
        ...BOOKING,
        external_id: undefined,
        description: 'INV-00517',
      });
      await follow();
      expect((await movementOf(sale)).reports).toEqual([sale, posting].sort());
      const charge = await record({
        ...CHARGE,
        metadata: { invoice: 'INV-00517', customer_id: 'C-1793' },
      });
      await follow();
      expect((await movementOf(posting)).reports).toEqual([charge, posting].sort());
      expect((await queue()).reports).toEqual([]);
      await expectConsistent();
    });

    it('A refund takes the order of its payment in whatever order they come', async () => {
      const at = { timestamp: '2026-03-30T12:00:00.000Z', event_type: 'refund' };
      const order = { order_id: 'A-101401' };
      const charge = { ...CHARGE, metadata: { ...order, stripe_charge: 'ch_1001' } };
      const refund = { ...CHARGE, ...at, external_id: 're_1', amount: '-19.90' };
      const returned = { ...refund, metadata: { stripe_charge: 'ch_1001' } };
      const sent = { ...refund, source: 'shop', external_id: 'A-101401' };
      for (const turn of [
        [charge, returned, sent],
        [sent, charge, returned],
        [returned, sent, charge],
      ]) {
        client = (await bed.organisation()).live;
        const ids = new Map<unknown, string>();
        for (const one of turn) {
          ids.set(one, await record(one));
          await follow();
        }
        const both = [ids.get(returned) ?? '', ids.get(sent) ?? ''].sort();
        expect((await movementOf(both[0] ?? '')).reports).toEqual(both);
      }
      await expectConsistent();
    });

    describe('A posting that comes late', () => {
      const DAY = 86_400_000;
      const days = (day: number) => new Date(Date.parse(CHARGED) + day * DAY).toISOString();
      const asked = async () =>
        (await queue()).reports.map(({ report, possible }) => ({
          id: report.id,
          possible: possible.map(({ financial_event: { id }, doubt }) => `${id} ${doubt}`),
        }));
      const charged = (id: string, day = 0) =>
        record({ ...CHARGE, external_id: id, timestamp: days(day) });
      const posted = (day: number, id?: string) =>
        record({ ...BOOKING, external_id: id, timestamp: days(day) });

      it.each([['first'], ['last']])(
        'It is asked if it comes %s and one event of its amount is in no books within 45 days',
        async (when) => {
          const early = when === 'first' ? await posted(44) : undefined;
          const charge = await charged('ch_1001');
          if (early !== undefined) await follow();
          const posting = early ?? (await posted(44));
          await follow();
          const question = [{ id: posting, possible: [`${charge} far_apart`] }];
          expect(await asked()).toEqual(question);
          const second = await charged('ch_1002', 1);
          await follow();
          expect(await asked()).toEqual([
            { id: posting, possible: [second, charge].map((id) => `${id} several_possibilities`) },
          ]);
          const booked = await posted(1);
          await follow();
          expect(await asked()).toHaveLength(4);
          dataOf(await pair(second, booked), Movement);
          await follow();
          expect(await asked()).toEqual(question);
          dataOf(await client.post('/movements/part', { report: posting, from: charge }), Movement);
          await follow();
          expect(await asked()).toEqual([]);
          dataOf(await withdraw(posting, charge), Movement);
          await follow();
          expect(await asked()).toEqual(question);
          await client.delete(`/financial-events/${charge}`);
          await follow();
          expect(await asked()).toEqual([]);
          await expectConsistent();
        },
      );

      it('It is not asked after 45 days, nor about another direction or amount', async () => {
        const [charge, posting] = [await charged('ch_1001'), await posted(46)];
        await record({ ...CHARGE, external_id: 're_1', amount: '-19.90', timestamp: days(40) });
        await record({ ...CHARGE, external_id: 'ch_2', amount: '19.91', timestamp: days(40) });
        await follow();
        expect(await asked()).toEqual([]);
        expect([charge, posting]).toHaveLength(2);
      });

      it.each([
        ['of one price', {}, '19.90'],
        ['that is what a fee left of another price', { stripe_settled: '19.90 USD' }, '20.50'],
      ])(
        'Of a crowd %s, those that the books have are left out, and only farther ones are asked about',
        async (_name, metadata, amount) => {
          for (let n = 0; n < 26; n += 1) {
            const order = `A-20${n}0`;
            const about = { amount, timestamp: days(n / 1000) };
            await record({ ...CHARGE, ...about, external_id: order, metadata });
            await record({ ...BOOKING, ...about, external_id: order });
          }
          const refund = { event_type: 'refund', amount: '-19.90', timestamp: days(2) };
          await record({ ...CHARGE, ...refund, external_id: 're_1' });
          const late = await posted(1);
          await follow();
          expect(await asked()).toEqual([]);
          const far = await charged('ch_1001', -20);
          await follow();
          expect(await asked()).toEqual([{ id: late, possible: [`${far} far_apart`] }]);
          const farther = [await charged('ch_1002', 25), await charged('ch_1003', -30)];
          await charged('ch_1004', -31);
          await follow();
          const possible = [far, ...farther].map((id) => `${id} several_possibilities`);
          expect(await asked()).toEqual([{ id: late, possible }]);
          await expectConsistent();
        },
      );

      it('Of a crowd, the nearest three that the books do not have are asked about', async () => {
        for (let n = 0; n < 26; n += 1) await charged(`ch_20${n}`, n / 1000);
        const posting = await posted(1);
        await follow();
        const [question] = await asked();
        expect(question?.id).toBe(posting);
        expect(question?.possible.map((one) => one.split(' ')[1])).toEqual(
          Array(3).fill('several_possibilities'),
        );
      });

      it('It is asked about events of its day that are in a crowd of later ones', async () => {
        const near = [await charged('ch_3001', 0.3), await charged('ch_3002', 0.4)];
        for (let n = 0; n < 26; n += 1) {
          const id = await charged(`ch_31${n}`, 4.2 + n / 1000);
          if (n === 0) near.push(id);
        }
        const posting = await posted(0);
        await follow();
        expect(await asked()).toEqual([
          { id: posting, possible: near.map((id) => `${id} several_possibilities`) },
        ]);
      });
    });

    it('A person may say that two are not the same: what is left may be certain, and taking it back brings the doubt back', async () => {
      const [charge, first, second] = [
        await record(CHARGE),
        await record(BOOKING),
        await record({ ...BOOKING, external_id: 'B 2' }),
      ];
      await follow();
      expect((await queue()).open).toBe(3);
      const alone = { lead: first, reports: [first] };
      const body = { report: first, from: charge };
      expect(dataOf(await client.post('/movements/part', body), Movement)).toEqual(alone);
      const rest = { lead: charge, reports: [charge, second].sort() };
      expect(await movementOf(charge)).toEqual(rest);
      expect(await queue()).toEqual({ reports: [], open: 0, open_amounts: [], next_cursor: null });
      await follow();
      expect(await movementOf(charge)).toEqual(rest);
      await expectConsistent();
      const own = { lead: charge, reports: [charge] };
      expect(dataOf(await withdraw(charge, first), Movement)).toEqual(own);
      expect((await queue()).open).toBe(3);
      expectRefusal(await withdraw(charge, first), 'invalid_state');
      expectRefusal(await withdraw(charge, second), 'invalid_state');
      expectRefusal(
        await client.post('/movements/part', { ...body, from: first }),
        'validation_error',
        'from',
      );
      await expectConsistent();
    });

    it('A pairing that is taken back leaves no trace but its records, and rules pair what is certain again', async () => {
      const [charge, first] = [await record(CHARGE), await record(BOOKING)];
      const second = await record({ ...BOOKING, external_id: 'B 2' });
      await follow();
      const paired = { lead: charge, reports: [charge, first].sort() };
      expect(dataOf(await pair(charge, first), Movement)).toEqual(paired);
      dataOf(await withdraw(first, charge), Movement);
      const { reports, open } = await queue();
      expect([open, reports.map(({ report }) => report.id).sort()]).toEqual([
        ...[3, [charge, first, second].sort()],
      ]);
      expectRefusal(await part(second), 'invalid_state');
      await client.delete(`/financial-events/${second}`);
      await follow();
      expect(await movementOf(charge)).toEqual(paired);
      dataOf(await part(charge), Movement);
      dataOf(await withdraw(charge, first), Movement);
      expect(await movementOf(charge)).toEqual(paired);
      await expectConsistent();
    });

    it('What was said before holds again when what was said last is taken back', async () => {
      const [charge, first] = [await record(CHARGE), await record(BOOKING)];
      const second = await record({ ...BOOKING, external_id: 'B 2' });
      await follow();
      const paired = { lead: charge, reports: [charge, first].sort() };
      dataOf(await pair(charge, first), Movement);
      for (const _turn of [1, 2]) {
        dataOf(await part(first), Movement);
        await follow();
        expect(await movementOf(first)).toEqual({ lead: first, reports: [first] });
        expect(dataOf(await withdraw(charge, first), Movement)).toEqual(paired);
      }
      await follow();
      expect(await movementOf(charge)).toEqual(paired);
      expect((await queue()).open).toBe(0);
      await expectConsistent();
      const alone = { lead: charge, reports: [charge] };
      expect(dataOf(await withdraw(charge, first), Movement)).toEqual(alone);
      expectRefusal(await withdraw(charge, first), 'invalid_state');
      expect((await queue()).reports.map(({ report }) => report.id).sort()).toEqual(
        [charge, first, second].sort(),
      );
      await expectConsistent();
    });

    it('They bring no confirmed links of two decisions together', async () => {
      const [booking, charge] = [await record(BOOKING), await record(CHARGE)];
      await linked(booking, await recordDecision(client), 1);
      await linked(charge, await recordDecision(client), 1);
      await follow();
      expect(await totalOf()).toBe('39.80');
      const { reports } = dataOf(await client.get('/movements/same-money'), SameMoneyPage);
      expect(reports[0]?.possible).toMatchObject([{ doubt: 'contradicting_links' }]);
    });
  });

  describe('Reports that add up to one', () => {
    const ORDER = 'A-100901';
    const sold = (amount: string, order: string = ORDER) =>
      record({ ...SALE, source: 'shop', external_id: order, amount, timestamp: CHARGED });
    const paid = (n: number, amount: string, order_id: unknown = ORDER) =>
      record({ ...CHARGE, external_id: `ch_${n}`, amount, metadata: { order_id } });

    it('Instalments count, whichever comes last, and both again once one is gone or is not of it', async () => {
      const [sale, first] = [await sold('60.00'), await paid(1, '40.00')];
      await follow();
      expect(await totalOf()).toBe('100.00');
      const { reports } = await queue();
      expect(reports).toMatchObject([
        { report: { id: sale }, possible: [{ rule: 'sum_by_reference', doubt: 'other_amount' }] },
      ]);
      expect(reports[0]?.possible[0]?.sum).toMatchObject({
        ...{ whole: sale, amount: '40', reports: [sale, first], parts: [{ id: first }] },
      });
      const second = await paid(2, '20.00');
      await follow();
      expect([await totalOf(), (await queue()).open]).toEqual(['60.00', 0]);
      expect(await movementOf(sale)).toEqual({ lead: first, reports: [first, sale].sort() });
      const records = await client.get(`/activity?subject=${sale}&type=movement.paired`);
      expect(dataOf(records, ActivityPage).activity[0]?.data).toMatchObject({
        ...{ by: 'rule', rule: 'sum_by_reference', with: first },
        compared: { reference: 'a100901', sum: `${sale} = ${first} + ${second}` },
      });
      await expectConsistent();
      const bundle = await bundleOf(bed, client, {
        ...{ start_date: '2026-03-01', end_date: '2026-03-31' },
      });
      expect(verdictsOf(await check(bundle))).toMatchObject(CONSISTENT);
      await client.delete(`/financial-events/${second}`);
      await follow();
      expect([await totalOf(), (await queue()).open]).toEqual(['100.00', 1]);
      dataOf(await client.post('/movements/part', { report: sale, from: first }), Movement);
      expect([await totalOf(), (await queue()).open]).toEqual(['100.00', 0]);
      dataOf(await withdraw(sale, first), Movement);
      expect((await queue()).open).toBe(1);
      await expectConsistent();
    });

    it('Orders in one payment that do not add up are asked together, and one answer pairs them and is taken back', async () => {
      const orders = ['A-100901', 'A-100902', 'A-100903'];
      const [charge, ...sales] = [
        await paid(1, '150.00', orders),
        await sold('60.00', 'A-100901'),
        await sold('50.00', 'A-100902'),
      ];
      await follow();
      expect(await totalOf()).toBe('260.00');
      const { reports, open_amounts } = await queue();
      expect(open_amounts).toEqual([{ currency: 'USD', amount: '150.00' }]);
      const { sum } = reports[0]?.possible[0] ?? {};
      expect(sum?.reports).toEqual([charge, ...sales]);
      const preview = await client.post('/movements/pair?dry_run=true', { reports: sum?.reports });
      expect(dataOf(preview, PairedMovement)).toMatchObject({
        dry_run: { counted_before: [{ amount: '260' }], counted_after: [{ amount: '150' }] },
      });
      const both = { lead: charge, reports: [charge, ...sales].sort() };
      expect(dataOf(await pair(...(sum?.reports ?? [])), Movement)).toEqual(both);
      expect([await totalOf(), (await queue()).open]).toEqual(['150.00', 0]);
      await sold('40.00', 'A-100903');
      await follow();
      expect((await movementOf(charge)).reports).toEqual(both.reports);
      await expectConsistent();
      dataOf(await withdraw(charge, ...sales), Movement);
      // With the third order, it is certain.
      expect([await totalOf(), (await movementOf(charge)).reports.length]).toEqual(['150.00', 4]);
      expectRefusal(await pair(charge, ...sales, charge), 'validation_error', 'reports');
      await expectConsistent();
    });
  });

  describe('Profiles', () => {
    const tell = async (...profiles: readonly object[]) => {
      expect((await client.patch('/settings', { attribution: { profiles } })).status).toBe(200);
      await follow();
    };
    const planned = (source: string) => ({
      ...{ name: 'Plan', source },
      kinds: [{ event_types: ['*'], kind: 'sale', state: 'planned' }],
    });
    const queued = async () => (await queue()).reports.map(({ report }) => report.id).sort();

    it('What has not moved takes its doubts and pairs along, and brings them back', async () => {
      const [charge, first] = [await record(CHARGE), await record(BOOKING)];
      const second = await record({ ...BOOKING, source: 'accounting/b', external_id: 'C 2' });
      const third = await record({ ...BOOKING, external_id: 'D 3' });
      await follow();
      const all = [charge, first, second, third].sort();
      expect(await queued()).toEqual(all);
      await tell(planned('accounting/main'));
      expect(await queue()).toMatchObject({ reports: [], open: 0 });
      expect((await movementOf(charge)).reports).toEqual([charge, second].sort());
      await expectConsistent();
      await tell();
      expect(await queued()).toEqual(all);
      expect((await movementOf(charge)).reports).toEqual([charge]);
      await tell(planned('stripe'), planned('accounting/b'));
      expect(await queued()).toEqual([]);
      await tell();
      expect(await queued()).toEqual(all);
      await expectConsistent();
    });

    it('What repeats another source is paired with it without a reference, and parted when that is taken back', async () => {
      const sale = await record({ ...CHARGE, source: 'till', external_id: 'none' });
      const copy = await record({ ...BOOKING, source: 'warehouse/a', external_id: 'B-1001' });
      const again = await record({ ...BOOKING, source: 'warehouse/a', external_id: 'none' });
      await follow();
      expect((await movementOf(sale)).reports).toEqual([sale]);
      const copies = (...repeats: string[]) => ({ name: 'W', source: 'warehouse/*', repeats });
      await tell(copies('till'));
      expect(await queued()).toEqual([sale, copy, again].sort());
      await tell(copies('till', 'warehouse/a'));
      expect((await movementOf(sale)).reports).toEqual([sale, copy, again].sort());
      const records = await client.get(`/activity?subject=${copy}&type=movement.paired`);
      const [paired] = dataOf(records, ActivityPage).activity;
      expect(paired?.data).toMatchObject({ by: 'rule', rule: 'repeated' });
      await expectConsistent();
      await tell();
      expect((await movementOf(sale)).reports).toEqual([sale]);
      expect(await queued()).toEqual([]);
      await expectConsistent();
    });

    it('References that are not listed name nothing, and those that are listed again do', async () => {
      const named = { external_id: 'none', metadata: { order: 'A-100399', till: 'T-1000' } };
      const [one, other] = [
        await record({ ...CHARGE, ...named, source: 'till' }),
        await record({ ...BOOKING, ...named, source: 'shop' }),
      ];
      const both = [one, other].sort();
      const reads = (...references: string[]) => ({ name: 'Till', source: 'till', references });
      const keys = async () => {
        const { ledgerId } = (await ledger()).scope;
        const rows = await bed.service.db.query<{ keys: number }>(sql`
          select count(*)::integer as keys from money_keys
          where ledger_id = ${ledgerId} and event_id = ${idToUuid('evt', one)}::uuid`);
        return rows[0]?.keys;
      };
      await follow();
      // The sum, the sum with each reference, and each reference.
      expect([await keys(), (await movementOf(one)).reports]).toEqual([5, both]);
      await tell(reads('metadata.till'));
      expect([await keys(), (await movementOf(one)).reports]).toEqual([3, both]);
      await tell(reads('external_id', 'description'));
      expect([await keys(), (await movementOf(one)).reports]).toEqual([1, [one]]);
      await tell();
      expect([await keys(), (await movementOf(one)).reports]).toEqual([5, both]);
      await tell(reads('metadata.till'));
      await client.delete(`/financial-events/${one}`);
      await follow();
      expect(await keys()).toBe(0);
      await expectConsistent();
    });

    it('The days of a source are compared by when its money may have moved', async () => {
      const [charge, booking] = [
        await record({ ...CHARGE, timestamp: '2026-03-10T20:00:00Z' }),
        await record({ ...BOOKING, timestamp: '2026-03-15T00:00:00Z' }),
      ];
      await follow();
      const reports = async () => (await movementOf(charge)).reports;
      expect(await reports()).toEqual([charge]);
      const clock = (time_zone: string) => ({ time_zone, whole_days: true });
      const days = (zone: string) => ({ name: 'Days', source: 'acc*', clock: clock(zone) });
      await tell(days('+14:00'));
      expect(await reports()).toEqual([charge, booking].sort());
      await tell(days('America/New_York'));
      expect(await reports()).toEqual([charge]);
      const { timestamp } = dataOf(await client.get(`/financial-events/${booking}`), ReportedEvent);
      expect(timestamp).toBe('2026-03-15T00:00:00.000Z');
      const answer = await client.patch('/settings', {
        attribution: { profiles: [days('Mars/Base')] },
      });
      expectRefusal(answer, 'validation_error', 'attribution.profiles[0].clock.time_zone');
    });
  });

  describe('Bundles', () => {
    const MARCH = { start_date: '2026-03-01', end_date: '2026-03-11' };

    it('A bundle of a range has the reports of its movements, whenever they happened', async () => {
      const [charge, booking] = [await record(CHARGE), await record(BOOKING)];
      await record({ ...BOOKING, amount: '3', external_id: 'other' });
      await follow();
      const bundle = await bundleOf(bed, client, MARCH);
      const ids = jsonOf<{ id: string }[]>(bundle, 'events.json').map(({ id }) => id);
      expect(ids).toEqual([charge, booking]);
      const report = await check(bundle);
      expect(report.verdicts.integrity.findings).toEqual([]);
      expect(verdictsOf(report)).toMatchObject(CONSISTENT);
    });

    it('A statement counts links of a witness for the report that leads', async () => {
      const [charge, booking] = [await record(CHARGE), await record(BOOKING)];
      const { decision_id } = await decide(client, { agent_id: 'agent' });
      await linked(booking, decision_id, 0.5);
      await follow();
      expect(await movementOf(booking)).toMatchObject({ lead: charge });
      const fields = { ...MARCH, export_type: 'statement', agent_id: 'agent' };
      const bundle = await bundleOf(bed, client, fields);
      const { rows: shown } = jsonOf<{ rows: { financial_event_id?: string }[] }>(
        bundle,
        'statement.json',
      );
      expect(shown).toMatchObject([{ financial_event_id: charge, amount: '9.950000000000' }]);
      const report = await check(bundle);
      expect(report.verdicts.integrity.findings).toEqual([]);
      expect(verdictsOf(report)).toMatchObject(CONSISTENT);
    });

    it('A filtered bundle has the reports of the movements of its links', async () => {
      const [charge, booking] = [await record(CHARGE), await record(BOOKING)];
      const { decision_id } = await decide(client, { agent_id: 'agent' });
      await linked(booking, decision_id, 0.5);
      await follow();
      const bundle = await bundleOf(bed, client, { filter: { agent_id: 'agent' } });
      const ids = jsonOf<{ id: string }[]>(bundle, 'events.json').map(({ id }) => id);
      expect(ids).toEqual([charge, booking]);
      const report = await check(bundle);
      expect(report.verdicts.integrity.findings).toEqual([]);
      const codes = report.verdicts.selection?.findings.map(({ code }) => code);
      expect(codes).not.toContain('record_unchosen');
    });
  });

  it('The same reports in any order, some recorded in vain, make the same movements and figures', async () => {
    const DAY = 86_400_000;
    const drawn = fc.record({
      source: fc.constantFrom('stripe', 'billing', 'accounting/a', 'accounting/b'),
      amount: fc.constantFrom('19.90', '5.00'),
      day: fc.integer({ min: 0, max: 12 }),
      reference: fc.option(fc.constantFrom('A-1', 'Order 1001', 'order-1001', '1002x'), {
        nil: null,
      }),
      isNamed: fc.boolean(),
      inVain: fc.nat(3),
      customer: fc.constantFrom(null, null, 'C-1001', 'C-1002'),
      /** What Stripe has as the id of a payment, and names as that of a refund. */
      payment: fc.constantFrom(null, 'ch_1001A', 'ch_1002B'),
      isRefund: fc.nat(3).map((one) => one === 0),
    });
    const START = Date.parse(CHARGED);
    const reports = fc.array(drawn, { minLength: 2, maxLength: 9 });
    type Drawn = typeof drawn extends fc.Arbitrary<infer One> ? One : never;
    const told = ({ payment, isRefund, customer, isNamed, reference, ...one }: Drawn) => {
      const isStripe = one.source === 'stripe';
      const own = isStripe && !isRefund ? payment : null;
      const metadata = {
        ...(reference !== null && (own !== null || !isNamed) && { reference }),
        ...(customer !== null && { customer_id: customer }),
        ...(isStripe && isRefund && payment !== null && { stripe_charge: payment }),
      };
      const external_id = own ?? (isNamed ? reference : null);
      const { event_type, amount } = isRefund
        ? { event_type: isStripe ? 'refund' : 'revenue', amount: `-${one.amount}` }
        : { event_type: 'payment', amount: one.amount };
      return { source: one.source, event_type, amount, external_id, metadata };
    };
    const body = (one: Drawn) => {
      const { external_id, ...rest } = told(one);
      return {
        ...{ ...SALE, ...rest, timestamp: new Date(START + one.day * DAY).toISOString() },
        ...(external_id !== null && { external_id }),
      };
    };
    const run = async (all: readonly Drawn[], order: readonly number[]) => {
      client = (await bed.organisation()).live;
      const ids = new Map<number, string>();
      for (const at of order) {
        const one = all[at];
        if (one === undefined) throw new Error('there is no such report');
        if (one.inVain === 0) {
          const vain = await record(body(one));
          await follow();
          await client.delete(`/financial-events/${vain}`);
        }
        ids.set(at, await record(body(one)));
        if (at % 2 === 0) await follow();
      }
      await follow();
      const places = new Map([...ids].map(([at, id]) => [id, at]));
      const events = await eventsOf(client);
      const movements = new Set(
        events.map(({ movement }) =>
          movement.reports
            .map((id) => places.get(id))
            .sort()
            .join(),
        ),
      );
      await expectConsistent();
      return { movements: [...movements].sort(), total: await totalOf() };
    };
    const expected = (all: readonly Drawn[]) => {
      const known = all.map((one, at) => {
        const { event_type, ...row } = told(one);
        return reportOf(
          {
            ...{ ...row, event_id: String(at), currency: 'USD', description: null },
            timestamp: START + one.day * DAY,
          },
          {
            ...{ ...JUDGED, kind: event_type === 'refund' ? 'refund' : 'sale' },
            sign: one.isRefund ? -1 : 1,
          },
        );
      });
      const { movements } = settle(known, { same: [], apart: [], contradicted: [] });
      return movements.map((ids) => ids.map(Number).sort().join()).sort();
    };
    await fc.assert(
      fc.asyncProperty(reports, fc.infiniteStream(fc.nat()), async (all, dice) => {
        const order = all
          .map((_one, at) => ({ at, place: dice.next().value }))
          .sort((a, b) => a.place - b.place)
          .map(({ at }) => at);
        const made = await run(all, order);
        expect(made.movements).toEqual(expected(all));
        expect(await run(all, [...order].reverse())).toEqual(made);
      }),
      { numRuns: isThorough ? 60 : 6 },
    );
  });
});
