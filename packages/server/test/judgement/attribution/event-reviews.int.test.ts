import { Pnl } from '@decision-ledger/contract/analytics';
import { LinkPage } from '@decision-ledger/contract/link';
import { type Review, ReviewAnswer, ReviewPage } from '@decision-ledger/contract/review';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dataOf, expectRefusal } from '../../support/client.js';
import { openTestService, type TestService } from '../../support/service.js';
import { at, type Desk, onlySuggestion, openDesk } from '../../support/suggestions-desk.js';

describe('Reviews of whole events', () => {
  let test: TestService;
  let desk: Desk;

  beforeAll(async () => {
    test = await openTestService('embedded');
  });
  afterAll(() => test.close());

  const page = async (query = '') => dataOf(await desk.client.get(`/reviews?${query}`), ReviewPage);
  const answer = async (event: string, body: object) =>
    dataOf(await desk.client.post(`/reviews/${event}`, body), ReviewAnswer);
  const all = async (query = '') => (await page(`limit=500${query}`)).reviews;
  const about = async (event: string): Promise<Review | undefined> =>
    (await all()).find(({ financial_event }) => financial_event.id === event);
  const again = async () => {
    await desk.lookAtAllAgain();
    await desk.look();
  };

  /** Ten decisions about other orders, and an event about one that two decisions name. */
  const open = async () => {
    desk = await openDesk(test);
    const others = Array.from({ length: 10 }, (_none, index) => `OTHER-${4000 + index}`);
    await desk.decide(...others.map((order) => ({ metadata: { order_id: order } })));
    const order = { metadata: { order_id: 'ORD-7001' } };
    const [early = '', late = ''] = await desk.decide(
      { ...order, timestamp: at(0.2) },
      { ...order, timestamp: at(0.8) },
    );
    const event = await desk.happen(order);
    await desk.look();
    return { early, late, event };
  };

  it('Money without any suggestion waits for a review, and the open amount counts it', async () => {
    desk = await openDesk(test);
    await desk.decide({}, {});
    const event = await desk.happen({ amount: '-512.50' });
    const unknown = await desk.happen({ amount: '7.00', currency: 'EUR' });
    await desk.look();
    expect(await desk.links()).toEqual([]);
    const { reviews, open: waiting } = await page();
    expect(reviews.map(({ financial_event }) => financial_event.id).sort()).toEqual(
      [event, unknown].sort(),
    );
    expect(waiting).toEqual({
      ...{ reviews: 2, amount: '512.50', currency: 'USD', unconverted: 1 },
      is_scoring: false,
    });
    expect(reviews[0]?.candidates).toHaveLength(2);
    const large = await page('min_amount=500');
    expect(large.reviews.map(({ financial_event }) => financial_event.id)).toEqual([event]);
    expect((await page('currency=EUR')).reviews).toHaveLength(1);
    expect((await page('source=none')).reviews).toEqual([]);
    expect((await page('has_suggestion=true')).reviews).toEqual([]);
  });

  it('Naming the suggested decision confirms its link for the whole event', async () => {
    const { event, late } = await open();
    const suggested = await desk.suggested(event);
    const own = suggested.find(({ decision_id }) => decision_id === late);
    const { verdict, link } = await answer(event, { decision_id: late });
    expect(verdict).toBe('cause');
    expect(link).toMatchObject({ id: own?.id, status: 'ML_INFERRED', correlation_strength: 1 });
    expect(await desk.suggested(event)).toEqual([]);
    expect(await about(event)).toBeUndefined();
    await again();
    expect(await about(event)).toBeUndefined();
  });

  it('Naming a near miss links it by hand, and its rivals are no longer suggested', async () => {
    const { event } = await open();
    const [other = ''] = await desk.decide({ agent_id: 'clerk', timestamp: at(0.5) });
    await desk.look();
    const { link } = await answer(event, { decision_id: other, strength: 1 });
    expect(link).toMatchObject({ decision_id: other, status: 'CONFIRMED', link_type: 'revenue' });
    await desk.look();
    expect(await desk.suggested(event)).toEqual([]);
    expectRefusal(await desk.client.post(`/reviews/${event}`, { decision_id: other }), 'conflict');
  });

  it('A link by hand displaces suggestions at once and rejects none, and those that still fit stay', async () => {
    const { event } = await open();
    const [other = ''] = await desk.decide({ agent_id: 'clerk', timestamp: at(0.5) });
    await desk.look();
    const [first, second] = await desk.suggested(event);
    const tried = dataOf(
      await desk.client.post(`/reviews/${event}?dry_run=true`, { decision_id: other }),
      ReviewAnswer,
    );
    expect(tried.dry_run?.net_after).toBe('40.00');
    await desk.link(other, event, { correlation_strength: 0.5 });
    expect((await desk.suggested(event)).map(({ id }) => id)).toEqual([second?.id]);
    expect(await desk.read(first?.id ?? '')).toMatchObject({ status: 'ML_SUGGESTED', label: null });
    expect(await desk.verdicts()).toEqual(['confirmed']);
  });

  it('An event that no recorded decision caused is not suggested again until that is withdrawn', async () => {
    const { event } = await open();
    expect((await desk.suggested(event)).length).toBeGreaterThan(0);
    expect(await answer(event, { none: true })).toEqual({
      financial_event_id: event,
      verdict: 'none',
    });
    await again();
    expect(await desk.suggested(event)).toEqual([]);
    expect(await about(event)).toBeUndefined();
    const rejected = dataOf(
      await desk.client.get(`/links?financial_event_id=${event}&status=REJECTED`),
      LinkPage,
    );
    for (const { id } of rejected.links) await desk.remove(id);
    dataOf(await desk.client.delete(`/reviews/${event}`), ReviewAnswer);
    await desk.look();
    expect((await desk.suggested(event)).length).toBeGreaterThan(0);
    expect(await about(event)).toBeDefined();
  });

  it('An event that no recorded decision caused leaves the range over all money until that is withdrawn', async () => {
    const { event } = await open();
    const range = async () => {
      const { total, likely_net } = dataOf(await desk.client.get('/analytics/ai-pnl'), Pnl);
      return { total, ...likely_net };
    };
    const before = await range();
    expect(before.proven).toBe('0.00');
    expect(Number(before.high)).toBeGreaterThan(Number(before.low));
    await answer(event, { none: true });
    const { total } = before;
    const none = { likely: '0.00', unknown: total, expected: '0.00', low: '0.00', high: '0.00' };
    expect(await range()).toMatchObject({ total, ...none });
    dataOf(await desk.client.delete(`/reviews/${event}`), ReviewAnswer);
    await desk.look();
    expect(Number((await range()).likely)).not.toBe(0);
  });

  it('A skipped event leaves the queue and keeps its suggestion', async () => {
    const { event } = await open();
    const before = await desk.suggested(event);
    await answer(event, { skip: true });
    expect(await about(event)).toBeUndefined();
    await again();
    expect(await about(event)).toBeUndefined();
    // The event itself taught delays and amounts in the meantime, so that the figures differ a little.
    const after = await desk.suggested(event);
    expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    for (const [at, link] of after.entries()) {
      expect(link.correlation_strength).toBeCloseTo(before[at]?.correlation_strength ?? 0, 1);
    }
  });

  it('An answer that is none, two, or about another ledger is refused', async () => {
    const { event, late } = await open();
    const post = (body: object, id = event) => desk.client.post(`/reviews/${id}`, body);
    expectRefusal(await post({}), 'validation_error', 'decision_id');
    expectRefusal(await post({ none: true, skip: true }), 'validation_error', 'decision_id');
    expectRefusal(await post({ none: true, strength: 0.5 }), 'validation_error', 'strength');
    expectRefusal(await desk.client.delete(`/reviews/${event}`), 'invalid_state');
    const foreign = await openDesk(test);
    const [decision = ''] = await foreign.decide({});
    expectRefusal(await post({ decision_id: decision }), 'not_found');
    for (const body of [{ none: true }, { decision_id: late }]) {
      expectRefusal(await foreign.client.post(`/reviews/${event}`, body), 'not_found');
    }
    expect(dataOf(await foreign.client.get('/reviews'), ReviewPage).reviews).toEqual([]);
    await answer(event, { decision_id: late });
    expectRefusal(await post({ none: true }), 'invalid_state');
  });

  it('A deleted event leaves the queue', async () => {
    const { event } = await open();
    expect(await about(event)).toBeDefined();
    await desk.client.delete(`/financial-events/${event}`);
    expect(await about(event)).toBeUndefined();
    expect((await page()).open.reviews).toBe(0);
  });

  it('At least 30 events of a month are audits, without scores and with candidates by time', async () => {
    desk = await openDesk(test);
    await desk.decide(...[0.9, 0.1, 0.5].map((hours) => ({ timestamp: at(hours) })));
    const sizes = Array.from({ length: 40 }, (_none, index) => index);
    for (const index of sizes) {
      const amount = ['5.00', '50.00', '500.00', '5000.00'][index % 4];
      await desk.happen({ amount, source: index % 2 === 0 ? 'shop' : 'bank' });
    }
    await desk.look();
    const audits = await all('&kind=audit');
    expect(audits.length).toBeGreaterThanOrEqual(30);
    expect(audits.length).toBeLessThan(40);
    for (const { priority, none_share, candidates, ...audit } of audits) {
      expect(audit.kind).toBe('audit');
      expect([priority, none_share]).toEqual([null, undefined]);
      const times = candidates.map(({ timestamp }) => timestamp);
      expect(times).toEqual([...times].sort());
      for (const candidate of candidates) {
        expect(Object.keys(candidate).sort()).toEqual(
          ['action_type', 'agent_id', 'decision_id', 'timestamp'].sort(),
        );
      }
    }
    const first = (await all()).map(({ kind }) => kind);
    expect(first).toEqual([...first].sort());
    await again();
    expect(await all('&kind=audit')).toEqual(audits);
    const rest = (await all('&kind=queue')).map(({ priority }) => priority ?? 0);
    expect(rest).toEqual([...rest].sort((a, b) => b - a));
    expect(rest.length + audits.length).toBe(40);
  });

  it('Pages of the queue hold each event once', async () => {
    const ids: string[] = [];
    for (let cursor = ''; ; ) {
      const { reviews, next_cursor } = await page(`limit=7${cursor}`);
      ids.push(...reviews.map(({ financial_event }) => financial_event.id));
      if (next_cursor === null) break;
      cursor = `&cursor=${next_cursor}`;
    }
    expect(new Set(ids).size).toBe(40);
    expect(ids).toHaveLength(40);
  });

  it('A suggestion with an audit can be reviewed as any other', async () => {
    const { event } = await open();
    const link = (await desk.suggested(event))[0] ?? (await onlySuggestion(desk, event));
    expect((await desk.review(link.id, 'confirm')).status).toBe('ML_INFERRED');
  });
});
