import { AgentPage, Pnl, Timeline } from '@decision-ledger/contract/analytics';
import { DecisionBatchReceipt, DecisionPage } from '@decision-ledger/contract/decision';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, dataOf, decision, expectRefusal } from '../support/client.js';
import { link, recordEvent } from '../support/money.js';
import { openTestService, scopeOf, type TestService } from '../support/service.js';
import { withOwner } from '../support/stored-jobs.js';
import { cents, type Fraction, isNextTo, parse, times, total } from './support/fraction.js';
import { RATES, readLive } from './support/pnl-oracle.js';
import { suggestLink } from './support/pnl-plan.js';

let bed: TestService;
let client: Client;

beforeAll(async () => {
  bed = await openTestService('embedded');
  const { live, test } = await bed.organisation();
  client = live;
  await client.patch('/settings', { exchange_rates: RATES });
  await fill(client);
  await fill(test);
});
afterAll(() => bed.close());

const TYPES = ['revenue', 'loss', 'cost', 'refund', 'saving'] as const;

/** Decisions of three agents in February and March, and the money they moved in March. */
async function fill(to: Client): Promise<void> {
  const scope = await scopeOf(bed, to);
  const decisions = Array.from({ length: 12 }, (_, n) =>
    decision({
      ...{ agent_id: `agent-${n % 3}`, action_type: `action-${n % 2}`, confidence: n / 12 },
      ...{ human_in_loop: n % 4 === 0, outputs: { amount: 100 * n } },
      timestamp: new Date(Date.UTC(2026, 1, 20 + n, n, 59, 59, 999)).toISOString(),
    }),
  );
  const answer = await to.post('/decisions/batch', { decisions });
  const ids = dataOf(answer, DecisionBatchReceipt, 201).decisions.map((one) => one.decision_id);
  for (let n = 0; n < 24; n += 1) {
    const { id: eventId } = await recordEvent(to, {
      ...{ amount: `${n % 5 === 0 ? '-' : ''}${n * 7 + 1}.37`, event_type: EVENT_TYPES[n % 3] },
      currency: ['USD', 'EUR', 'JPY', 'CHF'][n % 4],
      timestamp: new Date(
        Date.UTC(2026, 2, 1 + (n % 9), 0, 0, 0, n % 2 === 0 ? 0 : -1),
      ).toISOString(),
    });
    for (const [index, type] of [TYPES[n % 5], TYPES[(n + 1) % 5]].entries()) {
      const decisionId = ids[(n + index) % ids.length] ?? '';
      const strength = 20 + ((n * 37) % 81);
      if (type === undefined) continue;
      const label = n % 2 === 0 ? 'matched' : 'guessed';
      if (n % 3 === 0)
        await suggestLink(bed, scope, { decisionId, eventId, type, strength, label });
      else {
        const more = { link_type: type, correlation_strength: strength / 100 };
        await to.post('/links', link(decisionId, eventId, more));
      }
    }
    if (n % 11 === 10) await to.delete(`/financial-events/${eventId}`);
  }
}

const EVENT_TYPES = ['payment', 'refund_reversal', 'dispute_loss'];

/** What a link moves, read from the lists. */
interface Moved {
  readonly at: number;
  readonly agent: string;
  readonly actionType: string;
  readonly type: string;
  readonly label: string;
  readonly currency: string;
  readonly amount: Fraction;
  readonly rate: Fraction | null;
}

async function movedByLists(): Promise<Moved[]> {
  const events = await readLive(client, RATES);
  return events.flatMap(({ at, currency, rate, counted, links }) =>
    links.map(({ share, ...one }) => ({
      ...one,
      at,
      currency,
      rate,
      amount: times(counted, share),
    })),
  );
}

interface Sums {
  readonly revenue: string;
  readonly losses: string;
  readonly net: string;
}

interface Money extends Sums {
  readonly guessed: Sums;
  readonly unconverted: readonly { readonly currency: string; readonly amount: string }[];
}

/** Each figure is next to its exact value: as many units apart as cells that it adds up, at most. */
function expectMoney(row: Money, all: readonly Moved[], place: string): void {
  const sum = (isGuess: boolean, type?: string) =>
    total(
      all.flatMap(({ amount, rate, ...one }) =>
        rate !== null &&
        (one.label === 'guessed') === isGuess &&
        (type === undefined || one.type === type)
          ? [times(amount, rate)]
          : [],
      ),
    );
  const figures: [string, Fraction, number][] = [
    [row.revenue, sum(false, 'revenue'), 2],
    [row.losses, sum(false, 'loss'), 2],
    [row.net, sum(false), 10],
    [row.guessed.revenue, sum(true, 'revenue'), 1],
    [row.guessed.losses, sum(true, 'loss'), 1],
    [row.guessed.net, sum(true), 5],
  ];
  const left = all.filter(({ rate }) => rate === null);
  expect(row.unconverted.map(({ currency }) => currency)).toEqual(
    [...new Set(left.map(({ currency }) => currency))].sort(),
  );
  for (const { currency, amount } of row.unconverted) {
    const own = left.filter((one) => one.currency === currency);
    figures.push([amount, total(own.map((one) => one.amount)), 1]);
  }
  for (const [printed, exact, units] of figures) {
    expect(isNextTo(printed, exact, units), `${place}: ${printed}`).toBe(true);
  }
}

/** All rows together are the profit and loss of the same range, to the minor unit. */
async function expectWhole(rows: readonly Money[], query: string): Promise<void> {
  const pnl = dataOf(await client.get(`/analytics/ai-pnl?${query}`), Pnl);
  const sum = (amounts: readonly string[]) => cents(total(amounts.map((one) => parse(one))));
  for (const name of ['revenue', 'losses', 'net'] as const) {
    expect(sum(rows.map((row) => row[name])), name).toBe(pnl.expected[name]);
    expect(sum(rows.map(({ guessed }) => guessed[name])), name).toBe(pnl.guessed[name]);
  }
  for (const { currency, amount } of pnl.unconverted) {
    const own = rows.flatMap(({ unconverted }) =>
      unconverted.flatMap((one) => (one.currency === currency ? [one.amount] : [])),
    );
    expect(sum(own), currency).toBe(cents(parse(amount)));
  }
}

const dayOf = (at: number) => `${new Date(at).toISOString().slice(0, 10)}T00:00:00.000Z`;

describe('Money by time', () => {
  it.each([undefined, 'agent', 'action_type'] as const)(
    'The timeline equals the sums of the listed links, by day and grouped by %s',
    async (by) => {
      const all = await movedByLists();
      const keyOf = (one: Moved) =>
        by === undefined ? null : by === 'agent' ? one.agent : one.actionType;
      const answer = await client.get(
        `/analytics/timeline${by === undefined ? '' : `?group_by=${by}`}`,
      );
      const { timeline, bucket, group_by, currency } = dataOf(answer, Timeline);
      expect({ bucket, group_by, currency }).toEqual({
        ...{ bucket: 'day', group_by: by ?? null, currency: 'USD' },
      });
      const places = new Map<string, Moved[]>();
      for (const one of all) {
        const place = JSON.stringify([dayOf(one.at), keyOf(one)]);
        places.set(place, [...(places.get(place) ?? []), one]);
      }
      expect(places.size).toBeGreaterThan(5);
      for (const row of timeline) {
        const place = JSON.stringify([row.start, row.key]);
        expectMoney(row, places.get(place) ?? [], place);
        places.delete(place);
      }
      await expectWhole(timeline, '');
      expect([...places.keys()]).toEqual([]);
      const order = timeline.map(({ start, key }) => `${start} ${key ?? ''}`);
      expect([...order].sort()).toEqual(order);
    },
  );

  it('Money is dated by its events, and decisions by their own time', async () => {
    const { timeline } = dataOf(
      await client.get('/analytics/timeline?bucket=month&start=2026-03-01&end=2026-03-31'),
      Timeline,
    );
    const [month] = timeline;
    expect(timeline).toHaveLength(1);
    expect(month).toMatchObject({ start: '2026-03-01T00:00:00.000Z', decisions: 3 });
    const inMarch = (await movedByLists()).filter(({ at }) => at >= Date.UTC(2026, 2, 1));
    if (month !== undefined) expectMoney(month, inMarch, 'March');
    await expectWhole(timeline, 'start=2026-03-01&end=2026-03-31');
  });

  it('Empty buckets are omitted', async () => {
    const { timeline } = dataOf(await client.get('/analytics/timeline?bucket=hour'), Timeline);
    const { decisions } = dataOf(await client.get('/decisions?limit=500'), DecisionPage);
    const times = [
      ...decisions.map(({ timestamp }) => Date.parse(timestamp)),
      ...(await movedByLists()).map(({ at }) => at),
    ];
    const hours = new Set(times.map((at) => new Date(at).setUTCMinutes(0, 0, 0)));
    expect(timeline.map(({ start }) => Date.parse(start))).toEqual(
      [...hours].sort((a, b) => a - b),
    );
    const { live } = await bed.organisation();
    expect(dataOf(await live.get('/analytics/timeline'), Timeline).timeline).toEqual([]);
  });

  it('A timeline of more than 10,000 rows is refused with the remedy', async () => {
    const { live } = await bed.organisation();
    const { ledgerId } = await scopeOf(bed, live);
    const hours = (count: number) =>
      withOwner(bed, (owner) =>
        owner.query(
          `insert into exposure_cells (ledger_id, hour, agent_id, action_type, variant, decisions,
            denied, confidence, overseen, exposure, realised, squares, stake, unconverted, events,
            event_squares, sizes)
          select $1, timestamptz '2024-01-01' + n * interval '1 hour', 'a', 'b', '', 1, 0, 1, 0, 1, 0,
            1, 1, 0, 0, 0, 0
          from generate_series(1, $2::integer) n on conflict do nothing`,
          [ledgerId, count],
        ),
      );
    await hours(10_000);
    const full = dataOf(await live.get('/analytics/timeline?bucket=hour'), Timeline);
    expect(full.timeline).toHaveLength(10_000);
    await hours(10_001);
    const refused = await live.get('/analytics/timeline?bucket=hour');
    expectRefusal(refused, 'validation_error', 'bucket');
    expect(refused.text).toContain('use a longer bucket');
    expect((await live.get('/analytics/timeline?bucket=day')).status).toBe(200);
  });

  it.each([
    ['bucket=year', 'bucket'],
    ['bucket=', 'bucket'],
    ['group_by=agent_id', 'group_by'],
    ['start=2026-03-10&end=2026-03-01', 'start'],
    ['end=tomorrow', 'end'],
    ['agent_id=', 'agent_id'],
    ['limit=5', 'limit'],
  ])('A timeline with %s is refused', async (query, field) => {
    expectRefusal(await client.get(`/analytics/timeline?${query}`), 'validation_error', field);
  });
});

describe('Money by agent', () => {
  it('Money by agent equals the sums of the listed links, also for decisions before the range', async () => {
    const range = 'start=2026-03-04T00:00:00Z&end=2026-03-09T00:00:00Z';
    const [from, until] = [Date.UTC(2026, 2, 4), Date.UTC(2026, 2, 9)];
    const { agents, currency } = dataOf(await client.get(`/analytics/agents?${range}`), AgentPage);
    const all = (await movedByLists()).filter(({ at }) => from <= at && at < until);
    expect(currency).toBe('USD');
    expect(agents.map(({ agent_id }) => agent_id).sort()).toEqual(
      [...new Set(all.map(({ agent }) => agent))].sort(),
    );
    expect(agents.map(({ decisions }) => decisions)).toEqual(agents.map(() => 0));
    for (const row of agents) {
      expect(row).toMatchObject({ mean_confidence: null, human_review_share: null });
      const own = all.filter(({ agent }) => agent === row.agent_id);
      expectMoney(row, own, row.agent_id);
    }
    await expectWhole(agents, range);
  });

  it('An empty ledger has no agents, and a cursor that was changed or made for other filters is refused', async () => {
    const { live } = await bed.organisation();
    const none = dataOf(await live.get('/analytics/agents'), AgentPage);
    expect(none).toMatchObject({ currency: 'USD', agents: [], next_cursor: null });
    const { next_cursor } = dataOf(await client.get('/analytics/agents?limit=1'), AgentPage);
    for (const query of [`cursor=${next_cursor}x`, `cursor=${next_cursor}&agent_id=agent-0`]) {
      expectRefusal(await client.get(`/analytics/agents?limit=1&${query}`), 'malformed_request');
    }
    expectRefusal(await client.get('/analytics/agents?limit=501'), 'validation_error', 'limit');
  });

  it('Agents with equal exposure are all listed', async () => {
    const { live } = await bed.organisation();
    const decisions = ['b', 'c', 'a'].map((agent_id) => decision({ agent_id }));
    await live.post('/decisions/batch', { decisions });
    const names: string[] = [];
    for (let cursor = ''; ; ) {
      const page = dataOf(await live.get(`/analytics/agents?limit=1${cursor}`), AgentPage);
      names.push(...page.agents.map(({ agent_id }) => agent_id));
      if (page.next_cursor === null) break;
      cursor = `&cursor=${page.next_cursor}`;
    }
    expect(names).toEqual(['a', 'b', 'c']);
  });
});
