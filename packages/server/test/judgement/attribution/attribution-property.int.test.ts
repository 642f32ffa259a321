import type { Link } from '@decision-ledger/contract/link';
import fc from 'fast-check';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agentPatterns, replayModels } from '#server/domains/judgement/attribution/index';
import { runs } from '../../../../proof/test/support/runs.js';
import { rebuilt } from '../../support/rebuilt.js';
import { openTestService, type TestService } from '../../support/service.js';
import { at, type Desk, millionths, openDesk } from '../../support/suggestions-desk.js';

const orders = fc.constantFrom('ORD-1', 'ORD-2', 'ORD-3', 'ORD-4');
const amounts = fc.constantFrom('40.00', '0.00', '-12.50', '99');

const decisions = fc.array(
  fc.record({
    agent_id: fc.constantFrom('a', 'b'),
    action_type: fc.constantFrom('refund', 'upsell'),
    hours: fc.integer({ min: 0, max: 200 }),
    order: orders,
    amount: amounts,
    outcome: fc.constantFrom('done', 'failed'),
  }),
  { minLength: 1, maxLength: 12 },
);
const events = fc.array(
  fc.record({
    event_type: fc.constantFrom('payment', 'refund'),
    hours: fc.integer({ min: 0, max: 200 }),
    order: fc.option(orders),
    amount: amounts,
  }),
  { minLength: 1, maxLength: 4 },
);
/** The next actions of a person, each on a record that exists. */
const steps = fc.array(
  fc.record({
    kind: fc.constantFrom('confirm', 'reject', 'remove', 'remove rejected', 'link', 'look'),
    which: fc.nat({ max: 1000 }),
    strength: fc.integer({ min: 0, max: 10 }).map((tenths) => tenths / 10),
  }),
  { maxLength: 12 },
);
const ledgers = fc.record({ decisions, events, steps, share: fc.constantFrom(0.001, 0.1, 0.35) });

type Ledger = typeof ledgers extends fc.Arbitrary<infer Value> ? Value : never;

interface Filled {
  readonly desk: Desk;
  readonly decisionIds: readonly string[];
  readonly eventIds: readonly string[];
}

describe('Arbitrary small ledgers and reviews', () => {
  let test: TestService;

  beforeAll(async () => {
    test = await openTestService('embedded');
  });
  afterAll(() => test.close());

  async function fill(ledger: Ledger): Promise<Filled> {
    const desk = await openDesk(test);
    await desk.set({ suggest_share: ledger.share, suggest_recorded: ledger.share });
    const decisionIds = await desk.decide(
      ...ledger.decisions.map(({ agent_id, action_type, hours, order, amount, outcome }) => ({
        ...{ agent_id, action_type, timestamp: at(hours), metadata: { order_id: order } },
        inputs: { amount },
        outputs: { outcome },
      })),
    );
    const eventIds: string[] = [];
    for (const { event_type, hours, order, amount } of ledger.events) {
      const metadata = order === null ? {} : { order_id: order };
      eventIds.push(await desk.happen({ event_type, amount, timestamp: at(hours), metadata }));
    }
    await desk.look();
    return { desk, decisionIds, eventIds };
  }

  async function act(
    { desk, decisionIds, eventIds }: Filled,
    { kind, which, strength }: Ledger['steps'][number],
  ): Promise<void> {
    if (kind === 'look') return desk.look();
    if (kind === 'link') {
      const decision = decisionIds[which % decisionIds.length] ?? '';
      const event = eventIds[which % eventIds.length] ?? '';
      const body = { decision_id: decision, financial_event_id: event, link_type: 'saving' };
      const more = { correlation_strength: strength, attribution_method: 'manual' };
      const { status } = await desk.client.post('/links', { ...body, ...more });
      expect([201, 409]).toContain(status);
      return;
    }
    const query = {
      confirm: '&status=ML_SUGGESTED',
      reject: '&status=ML_SUGGESTED',
      remove: '',
      'remove rejected': '&status=REJECTED',
    }[kind];
    const links = await desk.links(query);
    const link = links[which % Math.max(1, links.length)];
    if (link === undefined) return;
    if (kind === 'reject') await desk.review(link.id, kind);
    else if (kind === 'confirm') {
      // Links that people made may leave nothing, or have the opposite sign.
      const { status } = await desk.client.post(`/links/${link.id}/confirm`, '');
      expect([200, 409]).toContain(status);
    } else await desk.remove(link.id);
  }

  async function expectShared({ desk, eventIds }: Filled): Promise<void> {
    const links = await desk.links();
    for (const id of eventIds) {
      const own = links.filter(({ financial_event_id }) => financial_event_id === id);
      const suggested = own.filter(({ status }) => status === 'ML_SUGGESTED');
      const made = own.filter(({ status }) => status !== 'ML_SUGGESTED');
      // People may exceed the whole; what the engine adds never does.
      const left = Math.max(0, 1e6 - millionths(made));
      expect(millionths(suggested), describeLinks(own)).toBeLessThanOrEqual(left);
    }
  }

  it('The strengths of an event never sum to more than 1, and the counts equal the replay', async () => {
    await fc.assert(
      fc.asyncProperty(ledgers, async (ledger) => {
        const filled = await fill(ledger);
        await expectShared(filled);
        for (const step of ledger.steps) await act(filled, step);
        await filled.desk.look();
        await expectShared(filled);
        const counts = await filled.desk.counts();
        const models = await replayModels(test.service.db.ledger(filled.desk.scope));
        expect(models.differing).toEqual([]);
        const replay = await rebuilt(test.service.db.ledger(filled.desk.scope), agentPatterns);
        expect(replay).toMatchObject({ rows: counts.length, differences: [] });
        expect(await filled.desk.counts()).toEqual(counts);
      }),
      { numRuns: runs(25) },
    );
  });

  it('Scoring again in any order gives the same result', async () => {
    await fc.assert(
      fc.asyncProperty(ledgers, async (ledger) => {
        const { desk } = await fill(ledger);
        const links = await desk.links();
        const activity = await desk.activity();
        await desk.lookAtAllAgain();
        await desk.look();
        expect(await desk.links()).toEqual(links);
        expect(await desk.activity()).toEqual(activity);
      }),
      { numRuns: runs(15) },
    );
  });

  it('A replay repairs counts that were tampered with', async () => {
    const desk = await openDesk(test);
    const made = await desk.decide({ agent_id: 'a' }, { agent_id: 'b' }, { agent_id: 'c' });
    for (const id of made) await desk.link(id, await desk.happen());
    const counts = await desk.counts();
    expect(counts).toHaveLength(3);
    const { ledgerId } = desk.scope;
    const { db } = test.service;
    await db.query(sql`
      update agent_patterns set confirmed = 7 where ledger_id = ${ledgerId} and agent_id = 'a'`);
    await db.query(sql`
      delete from agent_patterns where ledger_id = ${ledgerId} and agent_id = 'b'`);
    await db.query(sql`
      insert into agent_patterns (ledger_id, event_type, action_type, agent_id, day, confirmed,
        rejected) values (${ledgerId}, 'payment', 'refund', 'nobody', 20000, 1, 1)`);
    expect(await rebuilt(db.ledger(desk.scope), agentPatterns)).toMatchObject({ rows: 3 });
    expect(await desk.counts()).toEqual(counts);
    const again = await rebuilt(db.ledger(desk.scope), agentPatterns);
    expect(again).toMatchObject({ rows: 3, differences: [] });
  });
});

function describeLinks(links: readonly Link[]): string {
  return links
    .map(({ status, correlation_strength }) => `${status} ${correlation_strength}`)
    .join();
}
