import type { Link } from '@decision-ledger/contract/link';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BASE_RATE, SCALE } from '#server/domains/judgement/attribution/rules/parameters';
import { PARTS } from '#server/domains/judgement/attribution/rules/signals';
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

const oddsOf = (probability: number) => probability / (1 - probability);

/** Recomputes a score from its parts and its evidence. */
function expectWorkedOut(link: Link, hours: number, left = 1): void {
  const score = scoreOf(link);
  const { parts, evidence, weights } = score;
  expect(score.version).toMatch(/^attribution\/v\d+$/);
  expect(parts.temporal).toBeCloseTo(2 ** (-hours / score.half_life_hours), 10);
  for (const name of ['temporal', 'agent_pattern', 'amount'] as const) {
    const part = parts[name];
    const weight = weights[name] ?? Number.NaN;
    const adds = part === null ? 0 : SCALE * weight * (part - PARTS[name].neutral);
    expect(evidence[name], name).toBeCloseTo(adds, 10);
  }
  const agreement = parts.metadata;
  const most =
    SCALE * (weights.metadata ?? Number.NaN) * ((agreement ?? 0) - PARTS.metadata.neutral);
  if (agreement === null) expect(evidence.metadata).toBe(0);
  else expect(evidence.metadata).toBeLessThanOrEqual(most + 1e-10);
  expect(evidence.base).toBeCloseTo(Math.log(BASE_RATE / (1 - BASE_RATE)), 10);
  const logOdds = Object.values(evidence).reduce((sum, part) => sum + part, 0);
  expect(score.probability).toBeCloseTo(1 / (1 + Math.exp(-logOdds)), 10);
  // Up to five rivals are all that it competed with.
  expect(score.rivals).toHaveLength(score.candidates - 1);
  const others = score.rivals.reduce((sum, rival) => sum + oddsOf(rival.probability), 0);
  const raw = Math.exp(logOdds) / (1 + Math.exp(logOdds) + others);
  expect(score.uncalibrated_logit).toBeCloseTo(Math.log(raw / (1 - raw)), 6);
  expect(score.calibration).toEqual({ slope: 1, intercept: 0 });
  expect(score.exact_share).toBeCloseTo(left * raw, 9);
  expect(score.share).toBe(Math.floor(score.exact_share * 1e6) / 1e6);
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
    expect(score.parts).toMatchObject({ metadata: 1, agent_pattern: null, amount: null });
    expect(score.weights).toEqual({
      temporal: 0.35,
      metadata: 0.3,
      agent_pattern: 0.2,
      amount: 0.15,
    });
    expect(score.half_life_hours).toBe(72);
  });

  it('A link carries a score that anybody can recompute', async () => {
    await open();
    // Creates links with every kind of evidence.
    await desk.set({ suggest_share: 0.01, suggest_probability: 0.01 });
    await desk.decide(...ORDERS.slice(0, 5).map((order) => about(order)));
    const upsell = { action_type: 'upsell', timestamp: at(3.5) };
    const [later] = await desk.decide(about('ORD-1002', upsell));
    const event = await desk.happen({ metadata: { order_id: 'ORD-1002' }, timestamp: at(5) });
    await desk.look();
    const links = await desk.suggested(event);
    expect(links.length).toBeGreaterThan(1);
    for (const link of links) expectWorkedOut(link, link.decision_id === later ? 1.5 : 5);
    // With part of the event linked, they share the remainder.
    const first = (await desk.decide(about('ORD-2000')))[0] ?? '';
    await desk.link(first, event, { correlation_strength: 0.3 });
    await desk.look();
    for (const link of await desk.suggested(event)) {
      expect(scoreOf(link).exact_share).toBeLessThan(0.7);
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

  it('The link type follows the sign of the amount, and then the words of the event type', async () => {
    await open();
    const kinds = [
      ['refund_issued', '12.00', 'revenue'],
      ['refund_issued', '-12.00', 'refund'],
      ['chargeback', '-12.00', 'loss'],
      ['chargeback_won', '12.00', 'loss'],
      ['vendor_bill', '-12.00', 'cost'],
      ['subscription', '-12.00', 'cost'],
      ['movement', '-12.00', 'cost'],
      ['movement', '12.00', 'revenue'],
      ['movement', '0.00', 'revenue'],
      ['fee', '0', 'cost'],
    ] as const;
    await desk.decide(...kinds.map((_kind, index) => about(`ORD-${index + 100}`)));
    for (const [index, [event_type, amount, linkType]] of kinds.entries()) {
      const metadata = { order_id: `ORD-${index + 100}` };
      const event = await desk.happen({ event_type, amount, metadata });
      await desk.look();
      const reversal = event_type === 'chargeback_won';
      expect(await onlySuggestion(desk, event), `${event_type} ${amount}`).toMatchObject({
        ...{ link_type: linkType, reversal },
      });
    }
  });

  it('Links reach back five half-lives and ahead five minutes, and not a second further', async () => {
    await open();
    const HALF_LIFE = 2;
    await desk.set({
      half_life_hours: HALF_LIFE,
      suggest_probability: 0.001,
      suggest_share: 0.001,
    });
    const minute = 1 / 60;
    const second = minute / 60;
    const edges = [-10, -10 - second, 5 * minute, 5 * minute + second].map((hours) => 50 + hours);
    const [oldest, tooOld, latest, tooLate] = await desk.decide(
      ...edges.map((hours) => about('ORD-77777', { timestamp: at(hours) })),
    );
    // Other decisions, which make the order informative.
    await desk.decide(...ORDERS.map((order) => about(order, { timestamp: at(500) })));
    const event = await desk.happen({ metadata: { order_id: 'ORD-77777' }, timestamp: at(50) });
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
    expect(strengthOf(failed)).toBeLessThan(0.1);
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
