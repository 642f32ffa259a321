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

  it('Suggestions that people reject half of the time lose strength, until the reviews are withdrawn', async () => {
    await open();
    const names = Array.from({ length: 31 }, (_none, index) => `CAL-${1000 + index}`);
    await desk.decide(...names.map((order) => ({ metadata: { order_id: order } })));
    const events: string[] = [];
    for (const order of names) events.push(await desk.happen({ metadata: { order_id: order } }));
    await desk.look();
    const probe = await onlySuggestion(desk, events[30] ?? '');
    const again = async () => {
      await desk.lookAtAllAgain();
      await desk.look();
      return desk.read(probe.id);
    };
    // A change of settings makes a model of all that the ledger itself teaches by now.
    await desk.set({ suggest_probability: 0.45 });
    const before = await again();
    const reviewed: string[] = [];
    for (const [index, event] of events.slice(0, 30).entries()) {
      const { id } = await onlySuggestion(desk, event);
      await desk.review(id, index % 2 === 0 ? 'confirm' : 'reject');
      reviewed.push(id);
    }
    const after = await again();
    expect(after.correlation_strength).toBeLessThan(before.correlation_strength - 0.1);
    for (const id of reviewed) await desk.remove(id);
    // Later events taught delays meanwhile, so that the figures are not the same to the last digit.
    expect((await again()).correlation_strength).toBeCloseTo(before.correlation_strength, 1);
  });

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
    await desk.set({ weights: { temporal: 0.5, metadata: 0.2, agent_pattern: 0.2, amount: 0.1 } });
    const after = scoreOf(await scored('ORD-2'));
    const weightOf = ({ evidence, features }: typeof before, name: string) =>
      (evidence[name] ?? 0) / (features[name] ?? Number.NaN);
    for (const [name, factor] of [
      ['identifier_exact', 0.2 / 0.3],
      ['time', 0.5 / 0.35],
    ] as const) {
      expect(weightOf(after, name)).toBeCloseTo(factor * weightOf(before, name), 9);
    }
    await desk.set({ suggest_share: 1, suggest_probability: 1 });
    await desk.decide({ metadata: { order_id: 'ORD-4' } });
    const event = await desk.happen({ metadata: { order_id: 'ORD-4' } });
    await desk.look();
    expect(await desk.suggested(event)).toEqual([]);
  });
});
