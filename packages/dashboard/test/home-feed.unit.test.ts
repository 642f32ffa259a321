import { describe, expect, it } from 'vitest';
import { type FeedItem, itemOf, merge } from '#dashboard/pages/home/feed.ts';

const EVENT = { id: '1', mode: 'live', time: '2026-04-30T12:00:00Z', seq: 1 } as const;

describe('The live feed', () => {
  it.each([
    [
      'decision.recorded',
      { decision_id: 'dec_1', agent_id: 'bot', action_type: 'refund' },
      { key: 'dec_1', text: 'bot: refund', target: { page: 'decision', id: 'dec_1' } },
    ],
    [
      'financial_event.recorded',
      { subject: 'evt_1', source: 'shop', event_type: 'fee', amount: '-1.25', currency: 'USD' },
      { text: 'shop · fee', money: { amount: '-1.25', currency: 'USD' } },
    ],
    ['financial_event.recorded', { subject: 'evt_1' }, { money: null }],
    [
      'link.suggested',
      { decision_id: 'dec_1', link_type: 'loss' },
      { text: 'Link suggested: loss', target: { page: 'decision', id: 'dec_1' } },
    ],
    [
      'movement.paired',
      { subject: 'evt_1', lead: 'evt_2', by: 'rule' },
      { text: 'Same money, counted once', target: { page: 'event', id: 'evt_1' } },
    ],
    ['link.deleted', {}, { text: 'Link deleted', target: null }],
    [
      'chain.verified',
      { chain: 'activity', is_valid: false },
      { text: 'Chain of activity broken', target: { page: 'evidence' } },
    ],
    [
      'drift.detected',
      { subject: 'liability', agent_id: 'bot', direction: 'up' },
      { text: 'Losses of bot became more frequent' },
    ],
    [
      'budget.reached',
      { budget: 'refunds', percent: 80, currency: 'EUR', used: '81.00', amount: '100.00' },
      {
        ...{ kind: 'Budget', text: '80 % of the budget refunds is used' },
        money: { amount: '81.00', currency: 'EUR' },
      },
    ],
    [
      'exposure.exceeded',
      { currency: 'EUR', open: '1200.50', threshold: '1000.00' },
      { kind: 'Exposure', money: { amount: '1200.50', currency: 'EUR' } },
    ],
  ])('An event of the type %s with %o is a line', (type, data, line) => {
    expect(itemOf({ ...EVENT, type, data })).toMatchObject(line);
  });

  it('Renewed estimates and unknown types are left out', () => {
    expect(itemOf({ ...EVENT, type: 'liability_estimate.updated', data: {} })).toBeNull();
    expect(itemOf({ ...EVENT, type: 'later', data: {} })).toBeNull();
  });

  it('The newest lines come first, each once, and their number is bounded', () => {
    const item = (n: number): FeedItem => ({
      ...{ key: `k${n}`, time: EVENT.time, kind: 'Decision', text: `${n}` },
      ...{ money: null, target: null },
    });
    const older = Array.from({ length: 40 }, (_, n) => item(n));
    const merged = merge([item(100), item(3)], older);
    expect(merged.slice(0, 4).map(({ key }) => key)).toEqual(['k100', 'k3', 'k0', 'k1']);
    expect(merged.length).toBe(30);
    expect(new Set(merged.map(({ key }) => key)).size).toBe(30);
  });
});
