import { Pnl } from '@decision-ledger/contract/analytics';
import { ReviewPage } from '@decision-ledger/contract/review';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dataOf } from '../../support/client.js';
import { describeEngine } from '../../support/engine.js';
import { followLogs } from '../../support/followers.js';
import { openTestService, type TestService } from '../../support/service.js';
import { at, type Desk, openDesk } from '../../support/suggestions-desk.js';

type Fields = Readonly<Record<string, unknown>>;

describeEngine((engine) => {
  let bed: TestService;
  let desk: Desk;
  let decisions: readonly string[];

  beforeAll(async () => {
    bed = await openTestService(engine);
  });
  beforeEach(async () => {
    desk = await openDesk(bed);
    decisions = await desk.decide({ timestamp: at(0) }, { timestamp: at(0) }, { timestamp: at(0) });
  });
  afterAll(() => bed.close());

  const follow = () => followLogs(bed.service, [desk.scope.ledgerId]);
  const decisionAt = (place: number) => decisions[place] ?? '';
  const stripe = (event_type: string, external_id: string, amount: string, fields: Fields = {}) =>
    desk.happen({
      ...{ source: 'stripe', event_type, external_id, amount, currency: 'USD' },
      ...{ timestamp: at(24), ...fields },
    });
  const charge = (fields: Fields = {}) => stripe('charge', 'ch_1', '100.00', fields);
  const refund = (amount = '-40.00', fields: Fields = {}) =>
    stripe('refund', 're_1', amount, { metadata: { stripe_charge: 'ch_1' }, ...fields });
  const linksOf = async (event: string) =>
    (await desk.links(`&financial_event_id=${event}`))
      .map((link) => ({
        ...{ decision: decisions.indexOf(link.decision_id), from: link.inherited_from ?? null },
        ...{ status: link.status, label: link.label, strength: link.correlation_strength },
        type: link.reversal ? `reversed ${link.link_type}` : link.link_type,
      }))
      .sort((one, other) => one.decision - other.decision);
  const net = async (figure: 'confirmed' | 'matched' | 'guessed' = 'confirmed') =>
    dataOf(await desk.client.get('/analytics/ai-pnl'), Pnl)[figure].net;
  const queue = async () => {
    await desk.look();
    const { reviews } = dataOf(await desk.client.get('/reviews'), ReviewPage);
    return reviews.map(({ financial_event }) => financial_event.id).sort();
  };
  const inherited = (decision: number, from: string, strength = 0.5) => ({
    ...{ decision, from, status: 'INHERITED', label: 'confirmed', strength, type: 'refund' },
  });

  describe(`What reversals take from their payments on ${engine}`, () => {
    it('A refund takes the links and the strengths of its payment, and follows every change of them', async () => {
      const payment = await charge();
      const first = await desk.link(decisionAt(0), payment, { correlation_strength: 0.5 });
      const id = await refund();
      await follow();
      expect(await linksOf(id)).toEqual([inherited(0, payment)]);
      expect(await net()).toBe('30.00');
      await desk.link(decisionAt(1), payment, { correlation_strength: 0.25 });
      expect(await linksOf(id)).toEqual([inherited(0, payment), inherited(1, payment, 0.25)]);
      expect(await net()).toBe('45.00');
      await desk.remove(first.id);
      expect(await linksOf(id)).toEqual([inherited(1, payment, 0.25)]);
      expect(await net()).toBe('15.00');
    });

    it('A payment that is recorded after its refund passes its links on, and a deleted one takes them back', async () => {
      const id = await refund();
      await follow();
      expect(await linksOf(id)).toEqual([]);
      const payment = await charge();
      await desk.link(decisionAt(0), payment, { correlation_strength: 0.5 });
      expect(await linksOf(id)).toEqual([inherited(0, payment)]);
      const { status } = await desk.client.delete(`/financial-events/${payment}`);
      expect([status, await linksOf(id)]).toEqual([200, []]);
      expect(await net()).toBe('0.00');
    });

    it('A link that a person made wins, and what is inherited returns once it is deleted', async () => {
      const payment = await charge();
      await desk.link(decisionAt(0), payment, { correlation_strength: 0.5 });
      const id = await refund();
      await follow();
      const own = await desk.link(decisionAt(2), id, {
        correlation_strength: 1,
        link_type: 'refund',
      });
      expect(await linksOf(id)).toMatchObject([{ decision: 2, from: null, status: 'CONFIRMED' }]);
      expect(await net()).toBe('10.00');
      await desk.remove(own.id);
      expect(await linksOf(id)).toEqual([inherited(0, payment)]);
      expect(await net()).toBe('30.00');
    });

    it('What takes its cause from a payment leaves the review queue, and returns with the question', async () => {
      const payment = await charge();
      const id = await refund();
      const open = [payment, id].sort();
      expect(await queue()).toEqual(open);
      const first = await desk.link(decisionAt(0), payment, { correlation_strength: 0.5 });
      expect(await queue()).toEqual([payment]);
      await desk.lookAtAllAgain();
      expect(await queue()).toEqual([payment]);
      const late = await stripe('refund', 're_2', '-5.00', { metadata: { stripe_charge: 'ch_1' } });
      expect(await queue()).toEqual([payment]);
      expect(await linksOf(late)).toEqual([inherited(0, payment)]);
      const [taken] = await desk.links(`&financial_event_id=${late}`);
      await desk.review(taken?.id ?? '', 'reject');
      expect(await queue()).toEqual([payment, late].sort());
      await desk.remove(first.id);
      expect(await queue()).toEqual([...open, late].sort());
    });

    it('A refund with a cause of its own stays in the queue with what that leaves', async () => {
      const payment = await charge();
      await desk.link(decisionAt(0), payment, { correlation_strength: 1 });
      const id = await refund();
      expect(await queue()).toEqual([]);
      const own = await desk.link(decisionAt(2), id, {
        correlation_strength: 0.5,
        link_type: 'refund',
      });
      expect(await queue()).toEqual([id]);
      await desk.remove(own.id);
      expect(await queue()).toEqual([]);
    });

    it('A rejected decision is not inherited, and one that a person confirmed stays', async () => {
      const payment = await charge();
      await desk.link(decisionAt(0), payment, { correlation_strength: 0.5 });
      await desk.link(decisionAt(1), payment, { correlation_strength: 0.5 });
      const id = await refund();
      await follow();
      const [link] = await desk.links(`&financial_event_id=${id}&decision_id=${decisionAt(0)}`);
      const rejected = await desk.review(link?.id ?? '', 'reject');
      expect(rejected).toMatchObject({ status: 'REJECTED', inherited_from: payment });
      expect(await linksOf(id)).toEqual([inherited(1, payment)]);
      await desk.remove(rejected.id);
      expect(await linksOf(id)).toEqual([inherited(0, payment), inherited(1, payment)]);
      const [other] = await desk.links(`&financial_event_id=${id}&decision_id=${decisionAt(1)}`);
      await desk.review(other?.id ?? '', 'confirm');
      expect(await linksOf(id)).toMatchObject([
        { decision: 1, status: 'ML_INFERRED', strength: 1 },
      ]);
    });

    it('Nothing is inherited while a person says that no recorded decision caused the refund', async () => {
      const payment = await charge();
      await desk.link(decisionAt(0), payment, { correlation_strength: 0.5 });
      const id = await refund();
      await follow();
      expect((await desk.client.post(`/reviews/${id}`, { none: true })).status).toBe(200);
      expect(await linksOf(id)).toEqual([]);
      expect((await desk.client.delete(`/reviews/${id}`)).status).toBe(200);
      expect(await linksOf(id)).toEqual([]);
      const [link] = await desk.links(`&financial_event_id=${id}&status=REJECTED`);
      await desk.remove(link?.id ?? '');
      expect(await linksOf(id)).toEqual([inherited(0, payment)]);
    });

    it('A refund that failed takes back what its refund took, whatever the refund took it from', async () => {
      const payment = await charge();
      const id = await refund();
      const failed = await stripe('refund_reversal', 're_1', '40.00');
      await desk.link(decisionAt(0), payment, { correlation_strength: 0.5 });
      await follow();
      const back = { ...inherited(0, payment), type: 'reversed refund' };
      expect([await linksOf(id), await linksOf(failed)]).toEqual([[inherited(0, payment)], [back]]);
      expect(await net()).toBe('50.00');
      await desk.link(decisionAt(1), id, { correlation_strength: 1, link_type: 'refund' });
      expect(await linksOf(failed)).toEqual([{ ...inherited(1, id, 1), type: 'reversed refund' }]);
      expect(await net()).toBe('50.00');
    });

    it('Two payments of one reference pass nothing on, and a deleted refund takes nothing', async () => {
      const payment = await charge();
      await desk.link(decisionAt(0), payment, { correlation_strength: 0.5 });
      const id = await refund();
      await follow();
      const second = await charge({ amount: '77.00', timestamp: at(99) });
      await follow();
      expect(await linksOf(id)).toEqual([]);
      await desk.client.delete(`/financial-events/${second}`);
      await follow();
      expect(await linksOf(id)).toEqual([inherited(0, payment)]);
      await desk.client.delete(`/financial-events/${id}`);
      expect(await linksOf(id)).toEqual([]);
      expect(await net()).toBe('50.00');
    });
  });
});
