import type { Link } from '@decision-ledger/contract/link';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestService, type TestService } from '../../support/service.js';
import {
  at,
  type Count,
  type Desk,
  millionths,
  onlySuggestion,
  openDesk,
  scoreOf,
} from '../../support/suggestions-desk.js';

const DAY_MS = 86_400_000;

const dayOf = (time = '') => Math.floor(Date.parse(time) / DAY_MS);

const logOddsOf = (link: Link) => {
  const { probability } = scoreOf(link);
  return Math.log(probability / (1 - probability));
};

/** Orders of decisions without reviews, which make an order informative. */
const OTHERS = Array.from({ length: 10 }, (_none, index) => `OTHER-${index}`);

describe('Reviews of suggested links', () => {
  let test: TestService;
  let desk: Desk;

  beforeAll(async () => {
    test = await openTestService('embedded');
  });
  afterAll(() => test.close());

  const open = async () => {
    desk = await openDesk(test);
    await desk.decide(...OTHERS.map((order) => ({ metadata: { order_id: order } })));
  };

  /** A decision and the event that it caused, suggested. */
  async function suggestion(order: string, fields: object = {}): Promise<Link> {
    await desk.decide({ metadata: { order_id: order }, ...fields });
    const event = await desk.happen({ metadata: { order_id: order } });
    await desk.look();
    return onlySuggestion(desk, event);
  }

  it('A confirmation makes the link ML_INFERRED for the whole event and is stored and counted once on its day', async () => {
    await open();
    const link = await suggestion('ORD-1', { agent_id: 'desk-1', action_type: 'refund' });
    const confirmed = await desk.review(link.id, 'confirm');
    expect(confirmed).toMatchObject({ id: link.id, status: 'ML_INFERRED', deleted_at: null });
    expect(confirmed.correlation_strength).toBe(1);
    expect(confirmed.score).toEqual(link.score);
    expect(await desk.verdicts()).toEqual(['confirmed']);
    const count = { event_type: 'payment', action_type: 'refund', agent_id: 'desk-1' };
    const day = dayOf(confirmed.reviewed_at);
    expect(await desk.counts()).toEqual([{ ...count, day, confirmed: 1, rejected: 0 }]);
    const again = await desk.client.post(`/links/${link.id}/confirm`, {});
    expect(again.status).toBe(409);
    expect(await desk.verdicts()).toEqual(['confirmed']);
  });

  it('A rejection deletes the link and is stored and counted once on its day', async () => {
    await open();
    const link = await suggestion('ORD-1', { agent_id: 'desk-2', action_type: 'upsell' });
    const rejected = await desk.review(link.id, 'reject');
    expect(rejected.status).toBe('REJECTED');
    expect(rejected.deleted_at).toBe(rejected.reviewed_at);
    expect(await desk.verdicts()).toEqual(['rejected']);
    const count = { event_type: 'payment', action_type: 'upsell', agent_id: 'desk-2' };
    const day = dayOf(rejected.reviewed_at);
    expect(await desk.counts()).toEqual([{ ...count, day, confirmed: 0, rejected: 1 }]);
  });

  it('A link made by hand counts as a confirmation until it is deleted', async () => {
    await open();
    const [id = ''] = await desk.decide({ agent_id: 'desk-3', action_type: 'credit' });
    const event = await desk.happen();
    const link = await desk.link(id, event);
    const count = { event_type: 'payment', action_type: 'credit', agent_id: 'desk-3' };
    const day = dayOf(link.created_at);
    expect(await desk.counts()).toEqual([{ ...count, day, confirmed: 1, rejected: 0 }]);
    await desk.remove(link.id);
    expect(await desk.counts()).toEqual([]);
    expect(await desk.verdicts()).toEqual(['confirmed', 'withdrawn']);
    await desk.remove(link.id);
    expect(await desk.verdicts()).toEqual(['confirmed', 'withdrawn']);
  });

  describe.each([
    ['confirm', 1],
    ['reject', -1],
  ] as const)('Twenty reviews to %s', (review, direction) => {
    const agent = { agent_id: 'desk-9', action_type: 'goodwill' };
    let before: Link;
    let reviewed: Link[];
    let counts: Count[];

    /** The event that is scored before and after, and again after all reviews are withdrawn. */
    const probe = async () => {
      await desk.lookAtAllAgain();
      await desk.look();
      return desk.read(before.id);
    };

    it("Twenty reviews move the probability of the agent's other decisions", async () => {
      await open();
      await desk.decide({ ...agent, metadata: { order_id: 'PROBE' } });
      const event = await desk.happen({ metadata: { order_id: 'PROBE' } });
      // With one review of another agent, the pattern part is present from here on.
      const other = await suggestion('ORD-0', { agent_id: 'other', action_type: 'other' });
      await desk.review(other.id, 'confirm');
      const links: Link[] = [];
      for (let index = 1; index <= 20; index++) {
        links.push(await suggestion(`ORD-${index}`, agent));
      }
      // A change of settings makes a model of all that the ledger itself teaches by now.
      await desk.set({ suggest_probability: 0.45, suggest_recorded: 0 });
      await desk.look();
      await desk.lookAtAllAgain();
      await desk.look();
      before = await onlySuggestion(desk, event);
      counts = await desk.counts();
      reviewed = [];
      for (const { id } of links) reviewed.push(await desk.review(id, review));
      const after = await probe();
      const gain = logOddsOf(after) - logOddsOf(before);
      expect(gain * direction).toBeGreaterThan(0.02);
      expect(after.correlation_strength * direction).toBeGreaterThan(
        before.correlation_strength * direction,
      );
      expect(await desk.counts()).not.toEqual(counts);
    });

    it('Withdrawing all reviews restores the former scores', async () => {
      for (const { id } of reviewed) await desk.remove(id);
      expect(await desk.counts()).toEqual(counts);
      const after = await probe();
      // Later events taught delays meanwhile, so that the figures are not the same to the last digit.
      expect(after.correlation_strength).toBeCloseTo(before.correlation_strength, 1);
      // A pair whose rejection was withdrawn is suggested again.
      const again = await desk.links('&status=ML_SUGGESTED');
      for (const { decision_id } of reviewed) {
        expect(again.some((link) => link.decision_id === decision_id)).toBe(true);
      }
    });
  });

  it('A review of a part leaves the remaining share to the rivals, and its deletion returns the rest', async () => {
    await open();
    await desk.set({ suggest_share: 0.01, suggest_probability: 0.3 });
    const rivals = ['a', 'b', 'c'].map((agent_id, index) => ({
      ...{ agent_id, metadata: { order_id: 'ORD-1' }, timestamp: at(index / 10) },
    }));
    await desk.decide(...rivals);
    const event = await desk.happen({ metadata: { order_id: 'ORD-1' } });
    await desk.look();
    const [first, ...others] = await desk.suggested(event);
    expect(others).toHaveLength(2);
    if (first === undefined) return expect.unreachable('nothing is suggested');
    const strength = 0.4;
    const answer = await desk.client.post(`/links/${first.id}/confirm`, { strength });
    expect(answer.status).toBe(200);
    await desk.look();
    const after = await desk.suggested(event);
    expect(after.map(({ decision_id }) => decision_id).sort()).toEqual(
      others.map(({ decision_id }) => decision_id).sort(),
    );
    expect(millionths(after)).toBeLessThanOrEqual((1 - strength) * 1e6);
    for (const link of after) {
      expect(scoreOf(link).candidates).toBe(scoreOf(first).candidates - 1);
    }
    await desk.remove(first.id);
    await desk.look();
    const again = await desk.suggested(event);
    // The suggestion is new: the confirmed and deleted link stays deleted.
    expect(again[0]).toMatchObject({ decision_id: first.decision_id });
    expect(again[0]?.id).not.toBe(first.id);
  });

  it('A rejected pair is not suggested again until the rejection is withdrawn', async () => {
    await open();
    const link = await suggestion('ORD-1');
    await desk.review(link.id, 'reject');
    for (let round = 0; round < 2; round++) {
      await desk.lookAtAllAgain();
      await desk.look();
      expect(await desk.suggested(link.financial_event_id)).toEqual([]);
    }
    const removed = await desk.remove(link.id);
    expect(removed).toMatchObject({ id: link.id, status: 'REJECTED' });
    await desk.look();
    const again = await onlySuggestion(desk, link.financial_event_id);
    expect(again).toMatchObject({ decision_id: link.decision_id });
    expect(again.id).not.toBe(link.id);
    expect(await desk.remove(link.id)).toEqual(removed);
    expect(await desk.verdicts()).toEqual(['rejected', 'withdrawn']);
  });

  it('Deleting a suggestion teaches nothing', async () => {
    await open();
    const link = await suggestion('ORD-1');
    await desk.remove(link.id);
    await desk.look();
    expect(await desk.verdicts()).toEqual([]);
    expect(await desk.counts()).toEqual([]);
    expect(await desk.suggested(link.financial_event_id)).toEqual([]);
  });
});
