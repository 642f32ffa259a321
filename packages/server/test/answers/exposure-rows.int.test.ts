import { AgentPage, ExposureAnalysis, Pnl, Timeline } from '@decision-ledger/contract/analytics';
import { type ExposureRow, ExposureRows } from '@decision-ledger/contract/analytics-rows';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runs } from '../../../proof/test/support/runs.js';
import { type Client, dataOf, expectRefusal } from '../support/client.js';
import { decide, liabilityOf, nightly } from '../support/estimates.js';
import { openTestService, scopeOf, type TestService } from '../support/service.js';
import {
  type Fraction,
  isBelow,
  negative,
  parse,
  plus,
  rounded,
  total,
} from './support/fraction.js';
import { RATES } from './support/pnl-oracle.js';
import { carryOut, plan, SETTINGS } from './support/pnl-plan.js';
import { readRows } from './support/read-rows.js';
import { readTable } from './support/read-table.js';

let bed: TestService;

beforeAll(async () => {
  bed = await openTestService('embedded');
});
afterAll(() => bed.close());

const AGENTS = ['agent-0', 'agent-1', 'agent-2'];
const TYPES = ['action-0', 'action-1', 'pay'];

const decided = fc.record({
  agent_id: fc.constantFrom(...AGENTS),
  action_type: fc.constantFrom(...TYPES),
  confidence: fc.integer({ min: 0, max: 100 }).map((n) => n / 100),
  human_in_loop: fc.boolean(),
  timestamp: fc
    .integer({ min: 1, max: 20 })
    .map((day) => `2026-03-${String(day).padStart(2, '0')}T23:59:59.999Z`),
  outputs: fc.oneof(
    fc.integer({ min: 1, max: 99_999_999 }).map((n) => ({ amount: `${n / 1000}` })),
    fc.constant({ approved: false, amount: '5' }),
    fc.constant({ amount: '7', currency: 'CHF' }),
  ),
});

const world = fc.record({
  plan,
  decisions: fc.array(decided, { maxLength: 12 }),
  isRolledUp: fc.boolean(),
  later: fc.array(decided, { maxLength: 3 }),
  start: fc.constantFrom('', '&start=2026-03-05', '&start=2026-03-10T00:30:00Z'),
});

type Sums = NonNullable<ExposureRows['sum']>;

/** All rows of a filter, a few at a time, and the sums, which the first page states. */
async function readAll(client: Client, query: string): Promise<[ExposureRow[], Sums]> {
  const rows: ExposureRow[] = [];
  let sum: Sums | null = null;
  for (let cursor = ''; ; ) {
    const path = `/analytics/liability/rows?limit=4${query}${cursor}`;
    const page = dataOf(await client.get(path), ExposureRows);
    expect(page.sum === null, path).toBe(cursor !== '');
    sum ??= page.sum;
    rows.push(...page.rows);
    if (page.next_cursor === null) break;
    cursor = `&cursor=${page.next_cursor}`;
  }
  if (sum === null) throw new Error('the first page states no sum');
  return [rows, sum];
}

const sumOf = (rows: readonly ExposureRow[], name: 'exposure' | 'realised' | 'open'): Fraction =>
  total(rows.map((row) => parse(row[name] ?? '0')));

/** The stated sums are those of the rows, to the last digit. */
function expectSums(rows: readonly ExposureRow[], sum: Sums): void {
  expect(parse(sum.exposure)).toEqual(reducedLike(sum.exposure, sumOf(rows, 'exposure')));
  expect(parse(sum.realised)).toEqual(reducedLike(sum.realised, sumOf(rows, 'realised')));
  expect(parse(sum.open)).toEqual(reducedLike(sum.open, sumOf(rows, 'open')));
  const both = plus(parse(sum.open), parse(sum.realised));
  expect(parse(sum.exposure)).toEqual(reducedLike(sum.exposure, both));
  expect(sum.confidence).toBeCloseTo(
    rows.reduce((all, { confidence }) => all + confidence, 0),
    9,
  );
  expect(sum).toMatchObject({
    rows: rows.length,
    reviewed: rows.filter((row) => row.is_reviewed).length,
    denied: rows.filter((row) => row.is_denied).length,
    unconverted: rows.reduce((all, row) => all + row.unconverted_count, 0),
  });
}

/** The same value over the denominator of a decimal text. */
function reducedLike(text: string, { n, d }: Fraction): Fraction {
  const wanted = 10n ** BigInt(text.split('.')[1]?.length ?? 0);
  expect((n * wanted) % d, text).toBe(0n);
  return { n: (n * wanted) / d, d: wanted };
}

const printed = (value: Fraction): string => rounded(value, 2);

/** Printed figures add up: what is open is what is left of the exposure without the losses. */
function printedSums(rows: readonly ExposureRow[]) {
  const exposure = printed(sumOf(rows, 'exposure'));
  const realised = printed(sumOf(rows, 'realised'));
  return { exposure, realised, open: printed(plus(parse(exposure), negative(parse(realised)))) };
}

/** A printed part of a printed total is less than a cent from its exact value. */
function expectNear(text: string, exact: Fraction): void {
  const distance = plus(parse(text), { n: -exact.n, d: exact.d });
  const size = distance.n < 0n ? { ...distance, n: -distance.n } : distance;
  expect(isBelow(size, { n: 1n, d: 100n }), text).toBe(true);
}

describe('Rows of the exposure', () => {
  it('The rows of every figure sum to it, whatever was decided, lost and estimated again', {
    timeout: 600_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(world, async ({ plan: events, decisions, isRolledUp, later, start }) => {
        const { live: client } = await bed.organisation();
        await client.patch('/settings', { ...SETTINGS, exchange_rates: RATES });
        await carryOut(bed, client, events);
        for (const one of decisions) await decide(client, one);
        if (isRolledUp) await nightly(bed, await scopeOf(bed, client));
        for (const one of later) await decide(client, one);
        await compareExposure(client, start);
        await compareAgents(client, start);
      }),
      { seed: 2026, numRuns: runs(20) },
    );
  });

  async function compareExposure(client: Client, range: string): Promise<void> {
    const analysis = dataOf(await client.get(`/analytics/liability?${range}`), ExposureAnalysis);
    const [all, sum] = await readAll(client, range);
    expectSums(all, sum);
    expect(all.map(({ timestamp }) => timestamp)).toEqual(
      all.map(({ timestamp }) => timestamp).sort(),
    );
    const { aggregate, by_action_type } = analysis;
    const { expected, realised, open } = aggregate;
    expect({ exposure: expected, realised, open }).toEqual(printedSums(all));
    const { decisions, denied_count, unconverted_count } = analysis;
    expect([decisions, denied_count, unconverted_count]).toEqual([
      ...[sum.rows, sum.denied, sum.unconverted],
    ]);
    for (const { action_type, ...own } of by_action_type) {
      const [rows, sums] = await readAll(client, `${range}&action_type=${action_type}`);
      expectSums(rows, sums);
      expect(rows).toEqual(all.filter((row) => row.action_type === action_type));
      expect(own).toEqual({
        decisions: rows.length,
        ...printedSums(rows),
      });
    }
    const pnl = dataOf(await client.get(`/analytics/ai-pnl?${range}`), Pnl);
    expect(pnl.expected_liability).toBe(aggregate.expected);
    const lines = await client.get(`/analytics/timeline?bucket=month${range}`);
    for (const { start, ...line } of dataOf(lines, Timeline).timeline) {
      const month = all.filter((row) => row.timestamp.slice(0, 7) === start.slice(0, 7));
      expect(line.decisions).toBe(month.length);
      expectNear(line.exposure ?? '', sumOf(month, 'exposure'));
    }
    // An estimate in a currency without a rate counts nothing in the base currency.
    const first = all.find((row) => row.unconverted_count === 0);
    if (first === undefined) return;
    const { expected_low, expected_high } = await liabilityOf(client, first.decision_id);
    expect([first.low, first.high].map((amount) => printed(parse(amount ?? '')))).toEqual([
      ...[expected_low, expected_high],
    ]);
  }

  async function compareAgents(client: Client, range: string): Promise<void> {
    const { agents } = dataOf(await client.get(`/analytics/agents?${range}`), AgentPage);
    for (const { agent_id, guessed, ...own } of agents) {
      const [rows, sums] = await readAll(client, `${range}&agent_id=${agent_id}`);
      expectSums(rows, sums);
      expect(own.decisions).toBe(rows.length);
      expectNear(own.exposure ?? '', sumOf(rows, 'exposure'));
      if (own.mean_confidence !== null) {
        expect(own.mean_confidence).toBeCloseTo(sums.confidence / rows.length, 5);
        expect(own.human_review_share).toBeCloseTo(sums.reviewed / rows.length, 5);
      }
      for (const [label, figures] of Object.entries({ expected: own, guessed })) {
        for (const name of ['revenue', 'losses', 'net'] as const) {
          const { sum } = await readRows(
            client,
            `figure=${label}.${name}${range}&agent_id=${agent_id}`,
          );
          // `expected` and `net` are sums of printed figures: each of ten adds less than a cent.
          const distance = Number(figures[name]) - Number(sum.converted);
          expect(Math.abs(distance), `${label}.${name}`).toBeLessThan(0.1);
        }
      }
    }
  }

  it('The table has every row, and pages by a header', async () => {
    const { live } = await bed.organisation();
    for (const agent_id of ['=a', 'b', 'c']) await decide(live, { agent_id });
    const [rows] = await readAll(live, '');
    const table = await readTable(live, '/analytics/liability/rows');
    expect(table.map((row) => [row.decision_id, row.exposure, row.realised])).toEqual(
      rows.map((row) => [row.decision_id, row.exposure, row.realised]),
    );
    expect(table.map(({ agent_id }) => agent_id)).toContain("'=a");
    const first = await live.get('/analytics/liability/rows?format=csv&limit=2');
    const cursor = first.header('x-next-cursor');
    const next = await live.get(`/analytics/liability/rows?limit=2&format=csv&cursor=${cursor}`);
    expect(next.text).toContain(rows[2]?.decision_id);
  });

  it('A cursor of another filter, and an unknown parameter, are refused', async () => {
    const { live } = await bed.organisation();
    await decide(live);
    await decide(live);
    const page = dataOf(await live.get('/analytics/liability/rows?limit=1'), ExposureRows);
    const path = `/analytics/liability/rows?limit=1&agent_id=a&cursor=${page.next_cursor}`;
    expectRefusal(await live.get(path), 'malformed_request');
    expectRefusal(
      await live.get('/analytics/liability/rows?figure=net'),
      'validation_error',
      'figure',
    );
  });
});
