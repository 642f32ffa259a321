import { AgentPage, ExposureAnalysis, Pnl } from '@decision-ledger/contract/analytics';
import { DecisionBatchReceipt } from '@decision-ledger/contract/decision';
import { Link } from '@decision-ledger/contract/link';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { storeEstimates } from '#server/domains/judgement/liability/index';
import { runNow } from '#server/domains/judgement/liability/nightly-run';
import { selectDueLedgers } from '#server/domains/judgement/liability/store/snapshots';
import type { Scope } from '#server/platform/principal';
import { type Client, dataOf, decision, expectRefusal } from '../../../support/client.js';
import { dyingAfter, dyingInside } from '../../../support/dying-database.js';
import {
  announcementsOf,
  decide,
  estimatesOf,
  historyOf,
  liabilityOf,
  nightly,
  sumsOf,
} from '../../../support/estimates.js';
import { link, recordEvent } from '../../../support/money.js';
import { asOwner } from '../../../support/owner.js';
import {
  type Engine,
  openTestService,
  scopeOf,
  type TestService,
} from '../../../support/service.js';

type Fields = Readonly<Record<string, unknown>>;

const toLedger = ({ ledgerId }: Scope) => ledgerId;
const day = () => new Date(bed.clock.now() - 2 * 3_600_000).toISOString().slice(0, 10);

let bed: TestService;
let client: Client;
let scope: Scope;

const DAY = 86_400_000;
const START = '2026-04-16T09:30:00.000Z';

/** @param time ms */
const setClock = (time: number) => bed.clock.advance(time - bed.clock.now());

/** Effects of the nightly run on estimates, and of crashes on the run. */
export function nightlySuite(engine: Engine): void {
  describe(`Nightly run on ${engine}`, () => {
    beforeAll(async () => {
      bed = await openTestService(engine);
    });
    beforeEach(async () => {
      // The database dates decisions by the real clock, so the tests start there.
      setClock(Date.now());
      client = (await bed.organisation()).live;
      scope = await scopeOf(bed, client);
    });
    afterAll(() => bed.close());
    estimating();
    dying();
  });
}

/** @returns identifiers in chain order */
async function decideAll(count: number, fields: Fields = {}): Promise<string[]> {
  const ids: string[] = [];
  for (let done = 0; done < count; done += 100) {
    const decisions = Array.from({ length: Math.min(100, count - done) }, () => decision(fields));
    const answer = await client.post('/decisions/batch', { decisions });
    ids.push(...dataOf(answer, DecisionBatchReceipt, 201).decisions.map((one) => one.decision_id));
  }
  return ids;
}

const lose = async (decisionId: string, amount: string): Promise<void> => {
  const { id } = await recordEvent(client, { amount });
  const body = link(decisionId, id, { link_type: 'loss', correlation_strength: 1 });
  dataOf(await client.post('/links', body), Link, 201);
};

function estimating(): void {
  it('Exposure falls as the horizon nears, and each change is announced once', async () => {
    const [id = ''] = await decideAll(1);
    const before = await liabilityOf(client, id);
    bed.clock.advance(73 * DAY);
    await nightly(bed, scope);
    const after = await liabilityOf(client, id);
    expect(after.parts.open_share).toBeCloseTo(0.8, 3);
    expect(Number(after.expected)).toBeCloseTo(Number(before.expected) * 0.8, 2);
    expect(after).toMatchObject({ revision: 1 });
    expect(await historyOf(client, id)).toEqual([after, before]);
    const told = await announcementsOf(bed, scope);
    expect(told.map(({ update }) => update)).toEqual([
      expect.objectContaining({
        decision_id: id,
        previous_expected: before.expected,
        expected: after.expected,
      }),
    ]);
    await nightly(bed, scope);
    expect(await announcementsOf(bed, scope)).toEqual(told);
  });

  it('A run waits for an unfinished rebuild of what it reads, and publishes nothing until it is finished', async () => {
    const [id = ''] = await decideAll(1);
    const before = await liabilityOf(client, id);
    bed.clock.advance(73 * DAY);
    const ledger = bed.service.db.ledger(scope);
    const mark = `insert into unfinished_rebuilds (ledger_id, projection) values ($1, 'allocations')`;
    await asOwner(bed, mark, [ledger.ledgerId]);
    await expect(runNow(ledger, bed.service, () => undefined)).rejects.toThrow(
      'a rebuild of this ledger is unfinished: run decision-ledger rebuild first',
    );
    await nightly(bed, scope);
    expect(await liabilityOf(client, id)).toEqual(before);
    await asOwner(bed, 'delete from unfinished_rebuilds where ledger_id = $1', [ledger.ledgerId]);
    await nightly(bed, scope);
    expect(Number((await liabilityOf(client, id)).expected)).toBeLessThan(Number(before.expected));
  });

  it('A change of less than a minor unit is not announced', async () => {
    const [id = ''] = await decideAll(1, { outputs: { amount: 1 } });
    const stored = async () => {
      const [row] = await bed.service.db.query<{ exposure: string; revision: number }>(sql`
        select exposure::text as exposure, revision from liability_estimates
        where ledger_id = ${scope.ledgerId}`);
      return row;
    };
    await storeEstimates(bed.service.db.ledger(scope));
    const before = await stored();
    bed.clock.advance(DAY);
    await nightly(bed, scope);
    const after = await stored();
    expect(after?.revision).toBe(0);
    expect(Number(after?.exposure)).toBeLessThan(Number(before?.exposure));
    expect(await announcementsOf(bed, scope)).toEqual([]);
    expect(await historyOf(client, id)).toHaveLength(1);
  });

  it('Only realised losses remain at the end of the horizon', async () => {
    const [lost = '', kept = ''] = await decideAll(2);
    await lose(lost, '25.00');
    bed.clock.advance(400 * DAY);
    await nightly(bed, scope);
    expect(await liabilityOf(client, lost)).toMatchObject({
      expected: '25.00',
      expected_low: '25.00',
      expected_high: '25.00',
    });
    expect(await liabilityOf(client, kept)).toMatchObject({ expected: '0.00' });
  });

  it('Losses raise the rate of their action type only, and good outcomes lower it', async () => {
    const bad = await decideAll(40, { action_type: 'bad' });
    await decideAll(300, { action_type: 'good' });
    const [fresh = ''] = await decideAll(1, { action_type: 'new' });
    for (const id of bad.slice(0, 10)) await lose(id, '10.00');
    bed.clock.advance(91 * DAY);
    await nightly(bed, scope);
    const rates = new Map<string, number>();
    for (const action_type of ['bad', 'good', 'new']) {
      const { liability } = await decide(client, { action_type });
      rates.set(action_type, liability?.parts.base_rate ?? 0);
    }
    // Between the expected rate and (20 · 0.01 + losses) ÷ (20 + decisions), which one agent cannot reach.
    expect(rates.get('bad')).toBeGreaterThan(0.08);
    expect(rates.get('bad')).toBeLessThan(10.2 / 60);
    expect(rates.get('good')).toBeLessThan(0.002);
    expect(rates.get('good')).toBeGreaterThan(0.2 / 320 - 1e-12);
    expect(rates.get('new')).toBeCloseTo(0.0095, 3);
    expect((await liabilityOf(client, fresh)).parts.base_rate).toBe(rates.get('new'));
  });

  it('Decisions too recent to judge do not count', async () => {
    await decideAll(150);
    bed.clock.advance(89 * DAY);
    await nightly(bed, scope);
    expect((await decide(client)).liability?.parts.base_rate).toBe(0.01);
  });

  it('A decision without an amount gets the median of known amounts', async () => {
    for (const amount of [10, 20, 40, 80, 160]) await decideAll(1, { outputs: { amount } });
    bed.clock.advance(DAY);
    await nightly(bed, scope);
    const { liability } = await decide(client);
    expect(liability?.parts.amount_basis).toBe('median');
    expect(Number(liability?.parts.amount_at_risk)).toBeGreaterThan(40 * 0.98);
    expect(Number(liability?.parts.amount_at_risk)).toBeLessThan(40 * 1.02);
  });

  it('The run applies the current settings, including another currency', async () => {
    const [id = ''] = await decideAll(1, { outputs: { amount: 100, currency: 'EUR' } });
    await client.patch('/settings', { base_currency: 'EUR', liability: { response_cost: '50' } });
    bed.clock.advance(DAY);
    await nightly(bed, scope);
    const { currency, parts } = await liabilityOf(client, id);
    expect([currency, parts.amount_at_risk, parts.response_cost]).toEqual([
      'EUR',
      '100.00',
      '50.00',
    ]);
  });

  it('Sums never mix two currencies: they wait until all estimates use the new one', async () => {
    await decideAll(1100);
    await nightly(bed, scope);
    const due = async () => (await selectDueLedgers(bed.service.installation, day())).map(toLedger);
    expect(await due()).not.toContain(scope.ledgerId);
    await client.patch('/settings', { base_currency: 'EUR' });
    expect(await due()).toContain(scope.ledgerId);
    const old = dataOf(await client.get('/analytics/liability'), ExposureAnalysis);
    expect(old.currency).toBe('USD');
    const exposures = async () => {
      const { agents } = dataOf(await client.get('/analytics/agents'), AgentPage);
      const pnl = dataOf(await client.get('/analytics/ai-pnl'), Pnl);
      return [agents[0]?.exposure, pnl.expected_liability, agents[0]?.decisions];
    };
    expect(await exposures()).toEqual([null, null, 1100]);
    await decide(client);
    expectRefusal(await client.get('/analytics/liability'), 'unavailable');
    await nightly(bed, scope, dyingAfter(bed.service.db, 7)).catch(() => undefined);
    expectRefusal(await client.get('/analytics/liability'), 'unavailable');
    expect(await exposures()).toEqual([null, null, 1101]);
    await nightly(bed, scope);
    expect(await due()).not.toContain(scope.ledgerId);
    const now = dataOf(await client.get('/analytics/liability'), ExposureAnalysis);
    expect(now).toMatchObject({ currency: 'EUR', decisions: 1101 });
    expect(await exposures()).toEqual([now.aggregate.expected, now.aggregate.expected, 1101]);
    const { plain, cells } = await sumsOf(bed, scope);
    expect(cells).toEqual(plain);
  });

  it('The run sums up the estimates and keeps the sum of the day', async () => {
    const ids = [...(await decideAll(30)), ...(await decideAll(30, { agent_id: 'other' }))];
    await lose(ids[3] ?? '', '12.34');
    bed.clock.advance(10 * DAY);
    await nightly(bed, scope);
    await lose(ids[40] ?? '', '5.67');
    const { plain, cells } = await sumsOf(bed, scope);
    expect(cells).toEqual(plain);
    expect(plain).toHaveLength(2);
    const days = await bed.service.db.query(sql`
      select agent_id, decisions from exposure_days where ledger_id = ${scope.ledgerId} order by 1`);
    expect(days).toEqual([
      { agent_id: 'agent', decisions: 30 },
      { agent_id: 'other', decisions: 30 },
    ]);
  });

  it('A run may be requested at any time and replaces an interrupted one', async () => {
    const ids = await decideAll(1200);
    await nightly(bed, scope);
    await client.patch('/settings', { liability: { response_cost: '100' } });
    const none = await runNow(bed.service.db.ledger(scope), bed.service, () => undefined);
    expect(none).toEqual({ decisions: 1200, of: 1200, changed: 1200 });
    await client.patch('/settings', { liability: { response_cost: '200' } });
    bed.clock.advance(DAY);
    await nightly(bed, scope, dyingAfter(bed.service.db, 8)).catch(() => undefined);
    const seen: number[] = [];
    await runNow(bed.service.db.ledger(scope), bed.service, ({ decisions }) =>
      seen.push(decisions),
    );
    expect(seen).toEqual([1000, 1200]);
    const before = await announcementsOf(bed, scope);
    await nightly(bed, scope);
    expect(await announcementsOf(bed, scope)).toEqual(before);
    expect((await liabilityOf(client, ids[1199] ?? '')).parts.response_cost).toBe('200.00');
  });

  it('Live and test ledgers are processed separately', async () => {
    const org = await bed.organisation();
    const other = await scopeOf(bed, org.test);
    const receipt = await decide(org.test);
    const live = await decide(org.live);
    bed.clock.advance(100 * DAY);
    await nightly(bed, await scopeOf(bed, org.live));
    expect((await liabilityOf(org.live, live.decision_id)).revision).toBe(1);
    expect(await liabilityOf(org.test, receipt.decision_id)).toEqual(receipt.liability);
    expect(await announcementsOf(bed, other)).toEqual([]);
  });
}

/** More than one step of the run, with events that change during it. */
const MANY = 2100;

function dying(): void {
  /** A ledger with decisions of all kinds, always the same except for identifiers and hashes. */
  async function fill(): Promise<string[]> {
    client = (await bed.organisation()).live;
    scope = await scopeOf(bed, client);
    // The horizon that is left when losses are linked decides about a cent.
    setClock(Date.parse(START));
    const ids = await decideAll(MANY, { timestamp: START });
    await lose(ids[5] ?? '', '70.00');
    await lose(ids[1500] ?? '', '30.00');
    setClock(Date.parse(START) + 30 * DAY);
    return ids;
  }

  /** Counts and figures that do not depend on identifiers. */
  async function outcome(): Promise<object> {
    const { plain, cells } = await sumsOf(bed, scope);
    const told = await announcementsOf(bed, scope);
    const twice = new Map<string, number>();
    for (const { update } of told) {
      const key = `${update.decision_id} ${update.revision}`;
      twice.set(key, (twice.get(key) ?? 0) + 1);
    }
    return {
      ...{ plain, cells, told: told.length },
      gaps: told.filter(({ seq }, index) => seq !== index + 1).length,
      doubled: [...twice.values()].filter((count) => count > 1).length,
    };
  }

  it('A run that dies between any two transactions continues there and announces nothing twice', async () => {
    await fill();
    await nightly(bed, scope);
    const expected = await outcome();
    expect(expected).toMatchObject({ gaps: 0, doubled: 0 });
    await fill();
    let deaths = 0;
    for (let calls = 0; ; calls += 1) {
      const died = await nightly(bed, scope, dyingAfter(bed.service.db, calls)).then(
        () => false,
        () => true,
      );
      if (!died) break;
      deaths += 1;
    }
    expect(deaths).toBeGreaterThan(3);
    expect(await outcome()).toEqual(expected);
  });

  it('A run that dies within a step leaves nothing of that step', async () => {
    await fill();
    await nightly(bed, scope);
    const expected = await outcome();
    await fill();
    for (let statements = 1; ; statements += 3) {
      const before = await estimatesOf(bed, scope);
      const died = await nightly(bed, scope, dyingInside(bed.service.db, statements)).then(
        () => false,
        () => true,
      );
      if (!died) break;
      const told = (await announcementsOf(bed, scope)).length;
      // Steps of 1,000 decisions; the two losses were told before and may be told again.
      expect(told % 1000, before.slice(0, 80)).toBeLessThanOrEqual((MANY % 1000) + 2);
    }
    expect(await outcome()).toEqual(expected);
  });
}
