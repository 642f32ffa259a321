import { MonthPage } from '@decision-ledger/contract/analytics-months';
import { type Activity, ActivityPage } from '@decision-ledger/contract/chain';
import { Link } from '@decision-ledger/contract/link';
import { FollowerList } from '@decision-ledger/contract/operations';
import type { Static } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeMonths, closings } from '#server/domains/answers/analytics/index';
import { PROJECTIONS, rebuildLedger } from '#server/domains/evidence/rebuild/index';
import { ownerLogin } from '#server/platform/connection';
import { type Database, openDatabase } from '#server/platform/database';
import { following } from '#server/platform/followers/runner';
import type { Scope } from '#server/platform/principal';
import { type Client, dataOf } from '../support/client.js';
import { dyingAfter, dyingInside } from '../support/dying-database.js';
import { describeEngine } from '../support/engine.js';
import { decide } from '../support/estimates.js';
import { link, recordEvent } from '../support/money.js';
import { asOwner } from '../support/owner.js';
import { openTestService, scopeOf, type TestService } from '../support/service.js';
import { restatementSuite } from './support/restatement-suite.js';

const DAY_MS = 86_400_000;
/** More months than a step takes. */
const MONTHS = 14;
/** Statements between the places where a process dies. It has no common divisor with those of one month. */
const STRIDE = 29;
/** The derived rows that the figures of months are read from. */
const READ: ReadonlySet<string> = new Set(['counted-amounts', 'allocations']);
const RUNNING = new AbortController().signal;

/** How often each month was restated. */
type Months = Map<string, number>;

describeEngine((engine) => {
  let bed: TestService;

  beforeAll(async () => {
    bed = await openTestService(engine);
  });
  afterAll(() => bed.close());

  /** Lets the follower work for some ledgers, and returns the errors that it met. */
  async function follow(
    scopes: readonly Scope[],
    db: Database = bed.service.db,
  ): Promise<unknown[]> {
    const errors: unknown[] = [];
    const run = following({
      ...{ ...bed.service, db, followers: [closings] },
      onError: (error) => void errors.push(error),
    });
    await run.look(scopes.map(({ ledgerId }) => ledgerId));
    await run.idle();
    return errors;
  }

  describe('Restatements', () => restatementSuite(() => bed));

  const close = (scope: Scope) => closeMonths(bed.service.db.ledger(scope), RUNNING);
  const timestamp = () => new Date(bed.clock.now()).toISOString();

  async function activityOf(client: Client, type: string): Promise<Activity[]> {
    const all: Activity[] = [];
    let cursor: string | null = '';
    do {
      const more: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const answer = await client.get(`/activity?type=${type}&limit=500${more}`);
      const page: Static<typeof ActivityPage> = dataOf(answer, ActivityPage);
      all.push(...page.activity);
      cursor = page.next_cursor;
    } while (cursor !== null);
    return all;
  }
  const monthsOf = async (client: Client) =>
    dataOf(await client.get('/analytics/months?limit=100'), MonthPage).months;
  const stateOf = async (client: Client) => {
    const { followers } = dataOf(await client.get('/followers'), FollowerList);
    const { failures, due } = followers.find(({ name }) => name === closings.name) ?? {};
    return { failures, waiting: due?.waiting };
  };

  /** A ledger with more months to close than a step takes. */
  async function manyMonths() {
    const { live } = await bed.organisation();
    await setRate(live, 1);
    const months: Months = new Map();
    for (let month = 0; month < MONTHS; month += 1) months.set(await recordIn(live, month), 0);
    bed.clock.advance(DAY_MS);
    return { live, scope: await scopeOf(bed, live), months };
  }

  /** Records an event in a month, counted from January 2024, and returns the name of the month. */
  async function recordIn(client: Client, month: number): Promise<string> {
    const at = new Date(Date.UTC(2024, month, 15)).toISOString();
    await recordEvent(client, { timestamp: at, amount: '1', currency: 'EUR' });
    return at.slice(0, 7);
  }

  /** Changes the figures of every month. */
  async function setRate(client: Client, rate: number): Promise<void> {
    const fields = { from: 'EUR', to: 'USD', date: '2000-01-01' };
    const body = { exchange_rates: [{ ...fields, rate: `${rate}` }] };
    expect((await client.patch('/settings', body)).status).toBe(200);
  }

  /** Each month was closed once and restated as often as it should be, and nothing is left to do. */
  async function expectOnce(client: Client, expected: Months, place: string): Promise<void> {
    const months = await monthsOf(client);
    const restated = new Map(months.map(({ month, restatements }) => [month, restatements.length]));
    expect(restated, place).toEqual(expected);
    const closed = await activityOf(client, 'month.closed');
    expect(closed.map(({ subject }) => subject).sort(), place).toEqual([...expected.keys()].sort());
    const all = (await activityOf(client, 'month.restated')).map(({ subject }) => subject);
    for (const { month, restatements, closed: first, current } of months) {
      expect(all.filter((one) => one === month)).toHaveLength(restatements.length);
      expect(restatements.at(-1)?.figures ?? first, place).toEqual(current);
    }
    expect(await stateOf(client), place).toEqual({ failures: 0, waiting: 0 });
  }

  it('A process that dies between or within any two statements closes and restates each month once', async () => {
    const { live, scope, months } = await manyMonths();
    await follow([scope]);
    let nights = 0;
    for (const [dying, stride] of [
      [dyingAfter, 1],
      [dyingInside, STRIDE],
    ] as const) {
      let survived = false;
      for (let calls = stride; !survived; calls += stride) {
        nights += 1;
        bed.clock.advance(DAY_MS);
        await setRate(live, 1 + nights);
        for (const [month, restated] of months) months.set(month, restated + 1);
        if (nights % 4 === 0) months.set(await recordIn(live, -nights), 0);
        survived = (await follow([scope], dying(bed.service.db, calls))).length === 0;
        expect(await follow([scope])).toEqual([]);
        await expectOnce(live, months, `${dying.name} ${calls}`);
      }
    }
    expect(nights).toBeGreaterThan(MONTHS);
  }, 600_000);

  it('Processes that race for a ledger close each month once', async () => {
    const { live, scope, months } = await manyMonths();
    const errors = await Promise.all([follow([scope]), follow([scope]), follow([scope])]);
    expect(errors.flat()).toEqual([]);
    await expectOnce(live, months, 'a race');
  });

  it('A ledger whose months cannot be compared is set aside, and goes on when the cause is gone', async () => {
    const [one, other] = [await manyMonths(), await manyMonths()];
    const both = [one.scope, other.scope];
    expect(await follow(both)).toEqual([]);
    bed.clock.advance(DAY_MS);
    for (const { live, months } of [one, other]) {
      await setRate(live, 2);
      for (const month of months.keys()) months.set(month, 1);
    }
    const change = (figures: string) =>
      asOwner(bed, `update closed_months set figures = ${figures} where ledger_id = $1`, [
        one.scope.ledgerId,
      ]);
    await change("'x' || figures");
    expect(await follow(both)).toEqual([]);
    await expectOnce(other.live, other.months, 'the other one');
    expect(await stateOf(one.live)).toMatchObject({ failures: 1 });
    await change('substr(figures, 2)');
    bed.clock.advance(6000);
    expect(await follow(both)).toEqual([]);
    await expectOnce(one.live, one.months, 'the one that failed');
  });

  it('No month is closed while its rows are made again, also if that was interrupted', async () => {
    const { live } = await bed.organisation();
    const scope = await scopeOf(bed, live);
    const { decision_id } = await decide(live);
    const { id } = await recordEvent(live, { timestamp: timestamp(), amount: '100' });
    const body = link(decision_id, id, { correlation_strength: 1 });
    dataOf(await live.post('/links', body), Link, 201);
    bed.clock.advance(50 * DAY_MS);
    await asOwner(bed, 'update financial_events set counted_amount = 7 where ledger_id = $1', [
      scope.ledgerId,
    ]);
    await asOwner(bed, 'update link_allocations set amount = 7 where ledger_id = $1', [
      scope.ledgerId,
    ]);
    const login = ownerLogin(bed.service.storage.address);
    const owner = openDatabase({ ...login, maxConnections: 1 });
    const rebuild = (onStep: (step: string) => void) =>
      rebuildLedger(owner.ledger(scope), PROJECTIONS, onStep);
    // The events count as they should now, and the shares of their links do not.
    const { failure } = await rebuild((step) => {
      if (step === 'counted-amounts') throw new Error('interrupted');
    });
    expect(failure?.message).toBe('interrupted');
    expect(await activityOf(live, 'derived.rebuilt')).toHaveLength(1);
    expect(await follow([scope])).toEqual([]);
    expect(await monthsOf(live)).toEqual([]);
    expect(await stateOf(live)).toMatchObject({ failures: 0, waiting: 1 });

    const seen: Promise<void>[] = [];
    const again = rebuild((step) => {
      if (READ.has(step)) seen.push(close(scope));
    });
    expect(await again).toMatchObject({ damage: [] });
    await Promise.all(seen);
    expect(seen.length).toBeGreaterThanOrEqual(READ.size);
    await owner.close();
    await close(scope);
    const [month] = await monthsOf(live);
    expect(month?.closed).toMatchObject({ total: '100.00', unattributed: '0.00' });
    expect(month?.restatements).toEqual([]);
    expect(await activityOf(live, 'month.closed')).toHaveLength(1);
  });
});
