import type { Link } from '@decision-ledger/contract/link';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestService, type TestService } from '../../support/service.js';
import {
  at,
  type Desk,
  onlySuggestion,
  openDesk,
  scoreOf,
} from '../../support/suggestions-desk.js';

const ORDERS = Array.from({ length: 24 }, (_none, index) => `ORD-${1000 + index}`);

/** A decision about an order, some hours after the start. */
const about = (order: string, fields: Readonly<Record<string, unknown>> = {}) => ({
  metadata: { order_id: order },
  ...fields,
});

/** Recomputes a score from its evidence and its rivals, which must be all that it competed with. */
function expectWorkedOut(link: Link, left = 1): void {
  const score = scoreOf(link);
  const { unrecorded = 0, ...own } = score.evidence;
  const odds = Math.exp(Object.values(own).reduce((sum, part) => sum + part, 0));
  const all = Object.values(score.evidence).reduce((sum, part) => sum + part, 0);
  expect(unrecorded).toBeLessThan(0);
  expect(all).toBeLessThan(Math.log(odds));
  expect(score.rivals).toHaveLength(score.candidates - 1);
  const rivals = score.rivals.map(({ probability }) => {
    const recorded = score.probability / (odds / (1 + odds));
    const single = probability / recorded;
    return single / (1 - single);
  });
  const total = rivals.reduce((sum, rival) => sum + rival, 1 + odds);
  const recorded = (score.probability * (1 + odds)) / odds;
  expect(score.share).toBeCloseTo((left * recorded * odds) / total, 5);
  const shares = score.rivals.reduce((sum, { share }) => sum + share, score.share);
  expect(shares + score.none_share).toBeCloseTo(left, 9);
  expect(score.left_share).toBe(left);
  expect(link.correlation_strength).toBe(score.share);
}

describe('Suggested links', () => {
  let test: TestService;
  let desk: Desk;

  beforeAll(async () => {
    test = await openTestService('embedded');
  });
  afterAll(() => test.close());

  const open = async () => {
    desk = await openDesk(test);
    return desk;
  };

  it('An event is linked to the one decision among many that shares its order', async () => {
    await open();
    const decisions = await desk.decide(...ORDERS.map((order) => about(order)));
    const event = await desk.happen({ metadata: { orderId: 'ord-1007' }, timestamp: at(2) });
    await desk.look();
    const link = await onlySuggestion(desk, event);
    expect(link).toMatchObject({
      decision_id: decisions[7],
      financial_event_id: event,
      attribution_method: 'probabilistic',
      status: 'ML_SUGGESTED',
      created_by: 'engine',
    });
    const score = scoreOf(link);
    expect(score.probability).toBeGreaterThan(0.7);
    expect(score.share).toBeGreaterThan(0.7);
    expect(score.candidates).toBe(ORDERS.length);
    expect(score.rivals).toHaveLength(5);
    expect(score.features).toMatchObject({ transaction_key: 1, latest_holder: 1 });
    expect(link.label).toBe('matched');
  });

  it('A link carries a score that anybody can recompute', async () => {
    await open();
    // Creates links with every kind of evidence.
    await desk.set({ suggest_share: 0.01, suggest_probability: 0.01, suggest_recorded: 0 });
    await desk.decide(...ORDERS.slice(0, 5).map((order) => about(order)));
    const upsell = { action_type: 'upsell', timestamp: at(3.5) };
    await desk.decide(about('ORD-1002', upsell));
    const event = await desk.happen({ metadata: { order_id: 'ORD-1002' }, timestamp: at(5) });
    await desk.look();
    const links = await desk.suggested(event);
    expect(links.length).toBeGreaterThan(1);
    for (const link of links) expectWorkedOut(link);
    // With part of the event linked, they share the remainder.
    const first = (await desk.decide(about('ORD-2000')))[0] ?? '';
    await desk.link(first, event, { correlation_strength: 0.3 });
    await desk.look();
    for (const link of await desk.suggested(event)) {
      expect(scoreOf(link).left_share).toBeCloseTo(0.7, 9);
    }
  });

  it('No link is suggested if nothing speaks for any of many decisions', async () => {
    await open();
    await desk.decide(...ORDERS.map((order) => about(order)));
    const foreign = await desk.happen({ metadata: { order_id: 'ORD-9999' } });
    const silent = await desk.happen({});
    await desk.look();
    expect(await desk.suggested(foreign)).toEqual([]);
    expect(await desk.suggested(silent)).toEqual([]);
    expect(await desk.activity()).toEqual([]);
  });

  it('No link is suggested without decisions or for decisions that were never compared', async () => {
    await open();
    const event = await desk.happen({ metadata: { order_id: 'ORD-1' } });
    await desk.look();
    expect(await desk.suggested(event)).toEqual([]);
  });

  it('The link type follows the sign of the amount first, then the words of the event type', async () => {
    await open();
    const kinds = [
      ['refund_issued', '-12.00', 'refund'],
      ['chargeback', '-12.00', 'loss'],
      ['vendor_bill', '-12.00', 'cost'],
      ['subscription', '12.00', 'revenue'],
      ['purchase', '12.00', 'revenue'],
      ['movement', '-12.00', 'cost'],
      ['movement', '12.00', 'revenue'],
    ] as const;
    await desk.decide(...kinds.map((_kind, index) => about(`ORD-${index + 100}`)));
    for (const [index, [event_type, amount, linkType]] of kinds.entries()) {
      const metadata = { order_id: `ORD-${index + 100}` };
      const event = await desk.happen({ event_type, amount, metadata });
      await desk.look();
      expect((await onlySuggestion(desk, event)).link_type, `${event_type} ${amount}`).toBe(
        linkType,
      );
    }
  });

  it('Without an identifier, links reach back five half-lives and ahead five minutes, and no further', async () => {
    await open();
    const HALF_LIFE = 2;
    await desk.set({
      half_life_hours: HALF_LIFE,
      suggest_probability: 0.001,
      suggest_share: 0.001,
      suggest_recorded: 0,
      suggest_from_timing: true,
    });
    const minute = 1 / 60;
    const second = minute / 60;
    const edges = [-10, -10 - second, 5 * minute, 5 * minute + second].map((hours) => 50 + hours);
    const [oldest, tooOld, latest, tooLate] = await desk.decide(
      ...edges.map((hours) => ({ timestamp: at(hours) })),
    );
    const event = await desk.happen({ timestamp: at(50) });
    await desk.look();
    const ids = (await desk.suggested(event)).map(({ decision_id }) => decision_id);
    expect(ids.sort()).toEqual([oldest, latest].sort());
    expect(ids).not.toContain(tooOld);
    expect(ids).not.toContain(tooLate);
  });

  it('A decision that reports a failure is not suggested', async () => {
    await open();
    await desk.decide(...ORDERS.map((order) => about(order)));
    const [failed, succeeded] = await desk.decide(
      about('ORD-5555', { timestamp: at(0.9), outputs: { status: 'failed' } }),
      about('ORD-5555', { timestamp: at(0.2), outputs: { status: 'done' } }),
    );
    const event = await desk.happen({ metadata: { order_id: 'ORD-5555' } });
    await desk.look();
    const links = await desk.suggested(event);
    expect(links[0]?.decision_id).toBe(succeeded);
    const strengthOf = (id = '') =>
      links.find(({ decision_id }) => decision_id === id)?.correlation_strength ?? 0;
    expect(strengthOf(failed)).toBeLessThan(0.3);
    expect(strengthOf(succeeded)).toBeGreaterThan(0.6);
  });

  it('Scoring an event again creates no new id and no new activity', async () => {
    await open();
    await desk.decide(...ORDERS.map((order) => about(order)));
    for (const order of ORDERS.slice(0, 9)) await desk.happen({ metadata: { order_id: order } });
    await desk.look();
    const links = await desk.links('&status=ML_SUGGESTED');
    expect(links).toHaveLength(9);
    const activity = await desk.activity();
    await desk.lookAtAllAgain();
    await desk.look();
    await desk.look();
    expect(await desk.links('&status=ML_SUGGESTED')).toEqual(links);
    expect(await desk.activity()).toEqual(activity);
  });

  it('A deleted event gets no suggestions, and a later deletion keeps existing ones', async () => {
    await open();
    await desk.decide(...ORDERS.map((order) => about(order)));
    const gone = await desk.happen({ metadata: { order_id: 'ORD-1001' } });
    const later = await desk.happen({ metadata: { order_id: 'ORD-1002' } });
    expect((await desk.client.delete(`/financial-events/${gone}`)).status).toBe(200);
    await desk.look();
    expect(await desk.suggested(gone)).toEqual([]);
    const link = await onlySuggestion(desk, later);
    expect((await desk.client.delete(`/financial-events/${later}`)).status).toBe(200);
    // A better decision arrives: the deleted event is not scored again.
    await desk.decide(about('ORD-1002', { timestamp: at(0.9) }));
    await desk.look();
    expect(await desk.suggested(later)).toEqual([link]);
    // The suggestion can still be rejected.
    expect(await desk.review(link.id, 'reject')).toMatchObject({ status: 'REJECTED' });
  });
});
