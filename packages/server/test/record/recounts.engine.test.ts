import { MonthPage } from '@decision-ledger/contract/analytics-months';
import { ActivityPage } from '@decision-ledger/contract/chain';
import { checker } from '@decision-ledger/contract/validation';
import sql from 'sql-template-tag';
import { Type } from 'typebox';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { closeMonths } from '#server/domains/answers/analytics/index';
import { recounts } from '#server/domains/record/financial-events/index';
import type { Database } from '#server/platform/database';
import { following } from '#server/platform/followers/runner';
import type { Scope } from '#server/platform/principal';
import { type Client, dataOf } from '../support/client.js';
import { dyingAfter, dyingInside } from '../support/dying-database.js';
import { describeEngine } from '../support/engine.js';
import { link, recordDecision, recordEvent } from '../support/money.js';
import { openTestService, scopeOf, type TestService } from '../support/service.js';

/** More than a step takes. */
const EVENTS = 260;
/** Statements between the places where a process dies. */
const STRIDE = 3;

const checkIds = checker(Type.Object({ financial_event_ids: Type.Array(Type.String()) }), 'data');

describeEngine((engine) => {
  let bed: TestService;
  let live: Client;
  let scope: Scope;

  beforeAll(async () => {
    bed = await openTestService(engine);
    ({ live } = await bed.organisation());
    scope = await scopeOf(bed, live);
    const decisionId = await recordDecision(live);
    for (let n = 0; n < EVENTS; n += 1) {
      const fields = { source: 'adyen', event_type: 'REFUND', amount: '2' };
      const timestamp = '2026-03-01T00:00:00Z';
      const { id } = await recordEvent(live, { ...fields, timestamp });
      if (n % 50 !== 0) continue;
      const body = link(decisionId, id, { link_type: 'revenue', correlation_strength: 1 });
      expect((await live.post('/links', body)).status).toBe(201);
    }
  });
  afterAll(() => bed.close());

  /** Lets the follower work, and returns the errors that it met. */
  async function follow(db: Database = bed.service.db): Promise<unknown[]> {
    const errors: unknown[] = [];
    const run = following({
      ...{ ...bed.service, db, followers: [recounts(bed.service.hooks)] },
      onError: (error) => void errors.push(error),
    });
    await run.look([scope.ledgerId]);
    await run.idle();
    return errors;
  }

  /** Changes the sign of every event without a link. */
  async function change(isUnsigned: boolean): Promise<void> {
    const attribution = { unsigned_sources: isUnsigned ? ['adyen'] : [] };
    expect((await live.patch('/settings', { attribution })).status).toBe(200);
  }

  /** How many events count with each amount. */
  async function counted(): Promise<Record<string, number>> {
    const rows = await bed.service.db.query<{ amount: string; events: number }>(sql`
      select trim_scale(counted_amount)::text as amount, count(*)::integer as events
      from financial_events where ledger_id = ${scope.ledgerId} group by 1`);
    return Object.fromEntries(rows.map(({ amount, events }) => [amount, events]));
  }

  /** How often each event was recorded as recounted, without those that a person linked. */
  async function recorded(): Promise<number[]> {
    const answer = await live.get('/activity?type=financial_event.recounted&limit=500');
    const times = new Map<string, number>();
    for (const { data } of dataOf(answer, ActivityPage).activity) {
      for (const id of checkIds(data).financial_event_ids) times.set(id, (times.get(id) ?? 0) + 1);
    }
    return [...times.values()];
  }

  const LINKED = Math.ceil(EVENTS / 50);

  it('A process that dies between or within any two statements counts each event once', async () => {
    let changes = 0;
    for (const [dying, stride] of [
      [dyingAfter, 1],
      [dyingInside, STRIDE],
    ] as const) {
      let survived = false;
      for (let calls = stride; !survived; calls += stride) {
        changes += 1;
        await change(changes % 2 === 1);
        survived = (await follow(dying(bed.service.db, calls))).length === 0;
        expect(await follow()).toEqual([]);
        const [amount, place] = [changes % 2 === 1 ? '-2' : '2', `${dying.name} ${calls}`];
        expect((await counted())[amount], place).toBeGreaterThanOrEqual(EVENTS - LINKED);
        const times = await recorded();
        expect(times.length, place).toBe(EVENTS - LINKED);
        expect(new Set(times), place).toEqual(new Set([changes]));
      }
    }
    expect(changes).toBeGreaterThan(10);
    await change(false);
    await follow();
  }, 300_000);

  it('A change while events are counted again starts from the first one, and no month is closed before the end', async () => {
    const before = await counted();
    await change(true);
    // The first step is committed, and the process dies before the next one.
    for (let calls = 1; calls < 10; calls += 1) {
      await follow(dyingAfter(bed.service.db, calls));
      if (Object.keys(await counted()).length > Object.keys(before).length) break;
    }
    const half = await counted();
    expect(half['-2']).toBeGreaterThan(0);
    expect(half['2']).toBeGreaterThan(LINKED);
    const close = () => closeMonths(bed.service.db.ledger(scope), new AbortController().signal);
    const months = async () => dataOf(await live.get('/analytics/months'), MonthPage).months;
    await close();
    expect(await months()).toEqual([]);
    await change(false);
    expect(await follow()).toEqual([]);
    expect(await counted()).toEqual(before);
    await close();
    expect(await months()).toMatchObject([{ closed: { total: `${EVENTS * 2}.00` } }]);
  });
});
