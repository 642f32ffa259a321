import { FollowerList } from '@decision-ledger/contract/operations';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { featureFollower } from '#server/domains/judgement/attribution/index';
import { catchUp } from '#server/platform/followers/step';
import { idToUuid } from '#server/platform/ids';
import { dataOf } from '../../support/client.js';
import { followLogs } from '../../support/followers.js';
import { asOwner } from '../../support/owner.js';
import { openTestService, type TestService } from '../../support/service.js';
import { at, type Desk, onlySuggestion, openDesk } from '../../support/suggestions-desk.js';

describe('Decisions recorded after the event', () => {
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

  const waiting = async () => {
    const [row] = await test.service.db.query<{ waiting: number }>(sql`
      select count(*) as waiting from due_work
      where ledger_id = ${desk.scope.ledgerId} and follower = 'suggestions'`);
    return row?.waiting;
  };

  it('A late decision dated before the event is suggested, although the event was already scored', async () => {
    await open();
    const event = await desk.happen({ metadata: { order_id: 'ORD-1' } });
    await desk.look();
    expect(await desk.suggested(event)).toEqual([]);
    expect(await waiting()).toBe(0);
    const [late] = await desk.decide({ metadata: { order_id: 'ORD-1' }, timestamp: at(0.5) });
    await desk.look();
    expect((await onlySuggestion(desk, event)).decision_id).toBe(late);
    expect(await waiting()).toBe(0);
  });

  it('An event waits to be scored until it is deleted, and a late decision does not bring it back', async () => {
    await open();
    const [scored, fresh] = [await desk.happen(), await desk.happen()];
    expect(await waiting()).toBe(2);
    await desk.client.delete(`/financial-events/${fresh}`);
    expect(await waiting()).toBe(1);
    await desk.look();
    await desk.client.delete(`/financial-events/${scored}`);
    await desk.decide({ metadata: { order_id: 'ORD-1' }, timestamp: at(0.5) });
    await catchUp(
      test.service.db.ledger(desk.scope),
      featureFollower,
      new AbortController().signal,
    );
    expect(await waiting()).toBe(0);
  });

  it('A decision that cannot be read is passed over and shown, and no other decision or event waits for it', async () => {
    await open();
    const poison = (await desk.decide({ metadata: { order_id: 'ORD-7' } }))[0] ?? '';
    const [cause] = await desk.decide({ metadata: { order_id: 'ORD-8' } });
    await asOwner(
      test,
      `begin; set local session_replication_role = replica;
      update decisions set metadata = 'no disclosure' where decision_id = '${idToUuid('dec', poison)}';
      commit`,
    );
    const event = await desk.happen({ metadata: { order_id: 'ORD-8' } });
    await followLogs(test.service, [desk.scope.ledgerId]);
    await desk.look();
    expect((await onlySuggestion(desk, event)).decision_id).toBe(cause);
    const { followers } = dataOf(await desk.client.get('/followers'), FollowerList);
    expect(followers.find(({ name }) => name === 'features')).toMatchObject({
      logs: [{ log: 'decisions', position: 12, lag_records: 0 }],
      failures: 1,
      failed_records: [{ log: 'decisions', seq: 11, retry_at: null }],
    });
  });

  it('An event that cannot be scored is set aside and shown, and no other event waits for it', async () => {
    await open();
    const [cause] = await desk.decide({ metadata: { order_id: 'ORD-8' } });
    const poison = await desk.happen({ metadata: { order_id: 'ORD-7' } });
    const event = await desk.happen({ metadata: { order_id: 'ORD-8' } });
    const change = (metadata: string) =>
      asOwner(
        test,
        `begin; set local session_replication_role = replica;
        update financial_events set metadata = '${metadata}'
        where event_id = '${idToUuid('evt', poison)}'; commit`,
      );
    // PostgreSQL takes a doubled key, and no reader of the service does.
    await change('{"a":1,"a":2}');
    await followLogs(test.service, [desk.scope.ledgerId]);
    expect((await onlySuggestion(desk, event)).decision_id).toBe(cause);
    const shown = async () => {
      const { followers } = dataOf(await desk.client.get('/followers'), FollowerList);
      return followers.find(({ name }) => name === 'suggestions');
    };
    expect(await shown()).toMatchObject({
      ...{ logs: [], failures: 1 },
      failed_records: [{ log: null, seq: null, subject: poison, retry_at: expect.any(String) }],
    });
    await change('{}');
    test.clock.advance(6000);
    await followLogs(test.service, [desk.scope.ledgerId]);
    expect(await shown()).toMatchObject({ failures: 0, failed_records: [], due: { waiting: 0 } });
  });

  it('An event is scored again with a late decision that shares a ticket with one that names its order', async () => {
    await open();
    const day = (days: number) => at(-24 * days);
    const triage = { metadata: { order_id: 'ORD-1', ticket_id: 'T-48213' }, timestamp: day(40) };
    await desk.decide({ ...triage, action_type: 'open_ticket' });
    await desk.happen({ metadata: { order_id: 'ORD-1' } });
    await desk.look();
    const compared = async () => {
      const rows = await test.service.db.query<{ compared: number }>(sql`
        select compared from event_scores where ledger_id = ${desk.scope.ledgerId}`);
      return rows.map((row) => row.compared);
    };
    expect(await compared()).toEqual([11]);
    // Both lie before the window of decisions without an identifier.
    await desk.decide({ metadata: { ticket_id: 'T-99999' }, timestamp: day(30) });
    await desk.look();
    expect(await compared()).toEqual([11]);
    await desk.decide({ metadata: { ticket_id: 'T-48213' }, timestamp: day(30) });
    await desk.look();
    expect(await compared()).toEqual([12]);
  });

  it('A late decision that is a better cause takes over the suggestion', async () => {
    await open();
    const metadata = { order_id: 'ORD-1', cart: 'CART-1' };
    await desk.decide({ metadata, timestamp: at(0), outputs: { amount: '12.00' } });
    const event = await desk.happen({ metadata });
    await desk.look();
    const before = await onlySuggestion(desk, event);
    const outputs = { amount: '40.00' };
    const [late] = await desk.decide({ metadata, timestamp: at(0.9), outputs });
    await desk.look();
    const [first, ...others] = await desk.suggested(event);
    expect(first?.decision_id).toBe(late);
    expect(first?.correlation_strength).toBeGreaterThan(0.8);
    // The other link is gone, or keeps its id with what is left.
    for (const link of others) expect(link.id).toBe(before.id);
    const now = await desk.read(before.id);
    if (now.deleted_at === null) {
      expect(now.correlation_strength).toBeLessThan(before.correlation_strength / 2);
    }
    const types = (await desk.activity()).map(({ type, actor }) => `${type} ${actor}`);
    expect(types[0]).toBe('link.suggested engine');
    expect(types).toHaveLength(3);
  });

  it('A late decision does not change confirmed links', async () => {
    await open();
    await desk.decide({ metadata: { order_id: 'ORD-1' } });
    const event = await desk.happen({ metadata: { order_id: 'ORD-1' } });
    await desk.look();
    const { id } = await onlySuggestion(desk, event);
    const confirmed = await desk.review(id, 'confirm');
    await desk.decide({ metadata: { order_id: 'ORD-1' }, timestamp: at(0.9) });
    await desk.look();
    const {
      other_links,
      other_links_next_cursor: _cursor,
      waterfall: _waterfall,
      ...link
    } = await desk.read(id);
    expect(link).toEqual(confirmed);
    const left = 1 - confirmed.correlation_strength;
    for (const other of other_links) expect(other.correlation_strength).toBeLessThanOrEqual(left);
  });

  it('A late decision outside every window causes no event to be scored again', async () => {
    await open();
    const event = await desk.happen({ metadata: { order_id: 'ORD-1' } });
    await desk.look();
    const stamp = async () => {
      const rows = await test.service.db.query(sql`
        select scored_at from event_scores where ledger_id = ${desk.scope.ledgerId}`);
      return rows;
    };
    const before = await stamp();
    expect(before).toHaveLength(1);
    test.clock.advance(1000);
    for (const hours of [1 - 401 * 24, 2]) {
      await desk.decide({ metadata: { order_id: 'ORD-1' }, timestamp: at(hours) });
      await desk.look();
    }
    expect(await stamp()).toEqual(before);
    expect(await desk.suggested(event)).toEqual([]);
  });

  it('Decisions of years imported after their events are found for each event', async () => {
    await open();
    const COUNT = 300;
    const hours = (index: number) => -40 * index;
    const events: string[] = [];
    for (let index = 0; index < COUNT; index += 10) {
      const fields = { metadata: { order_id: `IMP-${index}` }, timestamp: at(hours(index) + 1) };
      events.push(await desk.happen(fields));
    }
    await desk.look();
    expect(await desk.links()).toEqual([]);
    const decisions: string[] = [];
    for (let from = 0; from < COUNT; from += 100) {
      const batch = Array.from({ length: 100 }, (_none, index) => ({
        metadata: { order_id: `IMP-${from + index}` },
        timestamp: at(hours(from + index)),
      }));
      decisions.push(...(await desk.decide(...batch)));
    }
    await desk.look();
    const found = await Promise.all(events.map((event) => onlySuggestion(desk, event)));
    expect(found.map(({ decision_id }) => decision_id)).toEqual(
      events.map((_event, index) => decisions[10 * index]),
    );
    expect(await waiting()).toBe(0);
  });
});
