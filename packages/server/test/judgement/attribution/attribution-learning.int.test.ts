import type { Link } from '@decision-ledger/contract/link';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectRefusal } from '../../support/client.js';
import { openTestService, type TestService } from '../../support/service.js';
import {
  at,
  type Desk,
  onlySuggestion,
  openDesk,
  scoreOf,
  strongest,
} from '../../support/suggestions-desk.js';

const DAY_MS = 86_400_000;

describe('Learning of suggested links', () => {
  let test: TestService;
  let desk: Desk;

  beforeAll(async () => {
    test = await openTestService('embedded');
  });
  afterAll(() => test.close());

  const open = async () => {
    desk = await openDesk(test);
    const others = Array.from({ length: 10 }, (_none, index) => `OTHER-${index}`);
    await desk.decide(...others.map((order) => ({ metadata: { order_id: order } })));
  };

  /** Links made by hand for an action type, with these lags in hours. */
  async function confirmLags(action_type: string, hours: readonly number[], amount = '40.00') {
    const decisions = await desk.decide(...hours.map(() => ({ action_type })));
    for (const [index, lag] of hours.entries()) {
      await desk.link(decisions[index] ?? '', await desk.happen({ timestamp: at(lag), amount }));
    }
  }

  /** The strongest link of a new decision and a new event that share a new order. */
  async function scored(
    order: string,
    fields: object = {},
    hours = 1,
    about: object = {},
  ): Promise<Link> {
    const metadata = { order_id: order };
    const [decision] = await desk.decide({ metadata, ...fields });
    const event = await desk.happen({ metadata, timestamp: at(hours), ...about });
    await desk.look();
    const link = await strongest(desk, event);
    expect(link.decision_id).toBe(decision);
    return link;
  }

  it('The half-life of an action type moves towards the lags of confirmed links', async () => {
    await open();
    await confirmLags('slow', Array(30).fill(300));
    await confirmLags('quick', [2, 2, 2, 2, 2]);
    const slow = scoreOf(await scored('ORD-1', { action_type: 'slow' }));
    expect(slow.half_life_hours).toBeCloseTo((10 * 72 + 30 * 300) / 40, 9);
    const quick = scoreOf(await scored('ORD-2', { action_type: 'quick' }));
    expect(quick.half_life_hours).toBeCloseTo((10 * 72 + 5 * 2) / 15, 9);
    expect(scoreOf(await scored('ORD-3', { action_type: 'new' })).half_life_hours).toBe(72);
    // A slow action type is now found beyond five times the configured half-life.
    const far = scoreOf(await scored('ORD-4', { action_type: 'slow' }, 5 * 72 + 100));
    expect(far.parts.temporal).toBeCloseTo(2 ** (-460 / 243), 9);
  });

  it('A half-life that is not a whole number of milliseconds also finds its decisions', async () => {
    await open();
    await confirmLags('slow', [73]);
    const link = await scored('ORD-1', { action_type: 'slow' });
    expect(scoreOf(link).half_life_hours).toBeCloseTo((10 * 72 + 73) / 11, 9);
  });

  it('The usual amounts of an action type count for an event with such an amount', async () => {
    await open();
    for (const amount of ['38.00', '39.00', '40.00', '41.00', '42.00']) {
      await confirmLags('refund', [1], amount);
    }
    const usual = await scored('ORD-1', { action_type: 'refund' });
    expect(scoreOf(usual).parts.amount).toBeCloseTo(1, 6);
    const refund = { action_type: 'refund' };
    const unusual = scoreOf(await scored('ORD-2', refund, 1, { amount: '900.00' }));
    expect(unusual.parts.amount).toBeLessThan(0.01);
    expect(unusual.evidence.amount).toBeLessThan(0);
    // Amounts in another currency are unknown.
    const foreign = await scored('ORD-3', refund, 1, { currency: 'EUR' });
    expect(scoreOf(foreign).parts.amount).toBeNull();
  });

  it('Reviews lose half of their weight in 90 days', async () => {
    await open();
    const first = await scored('ORD-1', { agent_id: 'a', action_type: 'refund' });
    await desk.review(first.id, 'confirm');
    const now = Date.parse((await desk.read(first.id)).reviewed_at ?? '');
    const event = await desk.happen({ metadata: { order_id: 'ORD-2' } });
    await desk.decide({
      ...{ agent_id: 'a', action_type: 'refund', metadata: { order_id: 'ORD-2' } },
    });
    const partAfter = async (days: number) => {
      await desk.lookAtAllAgain();
      await desk.look({ clock: { now: () => now + days * DAY_MS } });
      const { agent_pattern } = scoreOf(await onlySuggestion(desk, event)).parts;
      return agent_pattern ?? Number.NaN;
    };
    const meanOf = (weight: number) => {
      const all = (1 + weight) / (4 + weight);
      const action = (4 * all + weight) / (4 + weight);
      return (4 * action + weight) / (4 + weight);
    };
    expect(await partAfter(0)).toBeCloseTo(meanOf(1), 9);
    expect(await partAfter(90)).toBeCloseTo(meanOf(0.5), 9);
    expect(await partAfter(900)).toBeNaN();
  });

  it('Shares are calibrated after 60 reviews with ten of each kind, and not before', async () => {
    await open();
    const names = Array.from({ length: 61 }, (_none, index) => `CAL-${1000 + index}`);
    // Far enough apart that no event has more than one candidate.
    const start = (index: number) => -400 * (index + 1);
    await desk.decide(
      ...names.map((order, index) => ({
        metadata: { order_id: order },
        timestamp: at(start(index)),
      })),
    );
    for (const [index, order] of names.entries()) {
      const timestamp = at(start(index) + 1);
      await desk.happen({ metadata: { order_id: order }, timestamp });
    }
    await desk.look();
    const links = await desk.links('&status=ML_SUGGESTED');
    expect(links).toHaveLength(61);
    const probe = links.pop();
    if (probe === undefined) return expect.unreachable('nothing is suggested');
    // The model is very sure of all of them, and every second one is wrong.
    for (const [index, { id }] of links.slice(0, 59).entries()) {
      await desk.review(id, index % 2 === 0 ? 'confirm' : 'reject');
    }
    const again = async () => {
      await desk.lookAtAllAgain();
      await desk.look();
      return desk.read(probe.id);
    };
    const before = await again();
    expect(scoreOf(before).calibration).toEqual({ slope: 1, intercept: 0 });
    await desk.review(links[59]?.id ?? '', 'reject');
    const after = await again();
    expect(scoreOf(after).calibration).not.toEqual({ slope: 1, intercept: 0 });
    const { slope, intercept } = scoreOf(after).calibration;
    const logit = scoreOf(after).uncalibrated_logit;
    expect(scoreOf(after).exact_share).toBeCloseTo(
      1 / (1 + Math.exp(-(slope * logit + intercept))),
      9,
    );
    expect(after.correlation_strength).toBeLessThan(before.correlation_strength - 0.2);
    // A withdrawn review has no effect.
    await desk.remove(links[59]?.id ?? '');
    expect(scoreOf(await again())).toEqual(scoreOf(before));
  }, 120_000);

  it('Weights that do not sum to 1 are refused', async () => {
    await open();
    const answer = await desk.client.patch('/settings', {
      attribution: { weights: { temporal: 0.5 } },
    });
    expectRefusal(answer, 'validation_error', 'attribution.weights');
  });

  it('Settings apply immediately to later events', async () => {
    await open();
    const before = scoreOf(await scored('ORD-1'));
    await desk.set({
      weights: { temporal: 0.1, metadata: 0.4, agent_pattern: 0.3, amount: 0.2 },
      half_life_hours: 48,
      half_life_hours_by_action_type: { goodwill: 6 },
    });
    const after = scoreOf(await scored('ORD-2'));
    expect(before.weights.temporal).toBe(0.35);
    expect(after.weights).toEqual({
      temporal: 0.1,
      metadata: 0.4,
      agent_pattern: 0.3,
      amount: 0.2,
    });
    expect(after.half_life_hours).toBe(48);
    const goodwill = scoreOf(await scored('ORD-3', { action_type: 'goodwill' }, 3));
    expect(goodwill.half_life_hours).toBe(6);
    expect(goodwill.parts.temporal).toBeCloseTo(2 ** -0.5, 9);
    await desk.set({ suggest_share: 1, suggest_probability: 1 });
    await desk.decide({ metadata: { order_id: 'ORD-4' } });
    const event = await desk.happen({ metadata: { order_id: 'ORD-4' } });
    await desk.look();
    expect(await desk.suggested(event)).toEqual([]);
  });
});
