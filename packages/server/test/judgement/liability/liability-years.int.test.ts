import { DecisionBatchReceipt } from '@decision-ledger/contract/decision';
import { LiabilityBacktest } from '@decision-ledger/contract/liability';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Scope } from '#server/platform/principal';
import { seeded } from '../../../../proof/test/support/seeded.js';
import { type Client, dataOf, decision } from '../../support/client.js';
import { nightly } from '../../support/estimates.js';
import { link, recordEvent } from '../../support/money.js';
import { openTestService, scopeOf, type TestService } from '../../support/service.js';

const MONTHS = 36;
const DECISIONS = 6;
const DAY = 86_400_000;
/** The default of `liability.loss_maturity_days`. */
const MATURITY = 90;

let bed: TestService;
let client: Client;
let scope: Scope;

beforeAll(async () => {
  bed = await openTestService('embedded');
  client = (await bed.organisation()).live;
  scope = await scopeOf(bed, client);
});
afterAll(() => bed.close());

const setClock = (time: number) => bed.clock.advance(time - bed.clock.now());
/** The start of a month of the three years, counted from 0. */
const startOf = (month: number) => Date.UTC(2022, month, 1);
const nameOf = (month: number) => new Date(startOf(month)).toISOString().slice(0, 7);
const read = async () =>
  dataOf(await client.get('/analytics/liability/backtest'), LiabilityBacktest);

type Month = LiabilityBacktest['months'][number];

/**
 * Three years: decisions of each month, the forecast of the month by the first nightly run after it, and
 * then its losses. Losses are rare in most months and frequent in some.
 */
async function live() {
  const random = seeded(36);
  const lost: number[] = [];
  const stored: (Month | undefined)[] = [];
  for (let month = 0; month < MONTHS; month += 1) {
    setClock(startOf(month + 1) - DAY);
    const decisions = Array.from({ length: DECISIONS }, (_none, index) =>
      decision({
        ...{ confidence: 0.9, outputs: { amount: 100 } },
        timestamp: new Date(startOf(month) + index * 3 * DAY).toISOString(),
      }),
    );
    const answer = await client.post('/decisions/batch', { decisions });
    const receipts = dataOf(answer, DecisionBatchReceipt, 201).decisions;
    setClock(startOf(month + 1) + DAY);
    await nightly(bed, scope);
    stored.push((await read()).months.find((one) => one.month === nameOf(month)));
    const rate = month % 9 === 8 ? 0.8 : 0.06;
    let sum = 0;
    for (const { decision_id } of receipts) {
      if (random() >= rate) continue;
      const amount = 10 + Math.floor(random() * 90);
      sum += amount;
      const { id } = await recordEvent(client, { amount: `${amount}.00` });
      const body = link(decision_id, id, { link_type: 'loss', correlation_strength: 1 });
      expect((await client.post('/links', body)).status).toBe(201);
    }
    lost.push(sum);
  }
  await nightly(bed, scope);
  return { lost, stored };
}

/** Own arithmetic: the likelihood of hits among trials, as a logarithm. */
function logLikelihood(hits: number, trials: number, share: number): number {
  const term = (count: number, of: number) => (count === 0 ? 0 : count * Math.log(of));
  return term(hits, share) + term(trials - hits, 1 - share);
}

/** The probability of a larger chi-square of one degree of freedom, by Simpson's rule. */
function tail(value: number): number {
  const [until, steps] = [Math.sqrt(value), 2000];
  const density = (x: number) => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
  let sum = density(0) + density(until);
  for (let n = 1; n < steps; n += 1) sum += (n % 2 === 1 ? 4 : 2) * density((n * until) / steps);
  return 1 - 2 * ((sum * until) / steps / 3);
}

function kupiec(hits: readonly boolean[]) {
  const count = hits.filter(Boolean).length;
  const statistic =
    2 *
    (logLikelihood(count, hits.length, count / hits.length) -
      logLikelihood(count, hits.length, 0.05));
  return { statistic, p_value: tail(statistic) };
}

function christoffersen(hits: readonly boolean[]) {
  const pairs = hits.slice(1).map((hit, index) => ({ hit, after: hits[index] === true }));
  const likelihood = (own: typeof pairs, share?: number) => {
    const count = own.filter(({ hit }) => hit).length;
    if (own.length === 0) return 0;
    return logLikelihood(count, own.length, share ?? count / own.length);
  };
  const apart =
    likelihood(pairs.filter(({ after }) => after)) +
    likelihood(pairs.filter(({ after }) => !after));
  const statistic = 2 * (apart - likelihood(pairs));
  return { statistic, p_value: tail(statistic) };
}

describe('Back-test of three years', () => {
  it('Stored forecasts are compared with the losses since, and the tests match an own calculation', async () => {
    const { lost, stored } = await live();

    // When 23 months are mature, there is no verdict.
    setClock(startOf(23) + (MATURITY + 1) * DAY);
    const early = await read();
    expect(early).toMatchObject({ periods: 23, kupiec: null, christoffersen: null });
    expect(early.verdict).toBe('too_few_periods');
    expect(early.months.map(({ status }) => status)).toEqual([
      ...Array(23).fill('compared'),
      ...Array(MONTHS - 23).fill('open'),
    ]);

    setClock(startOf(MONTHS) + (MATURITY + 1) * DAY);
    const { months, ...summary } = await read();
    expect(months.map(({ month }) => month)).toEqual(
      Array.from({ length: MONTHS }, (_none, month) => nameOf(month)),
    );
    const hits: boolean[] = [];
    for (const [index, month] of months.entries()) {
      const { expected, low90, high90, var95, es95, made_at, basis, decisions } = month;
      const then = stored[index];
      // The forecast is as it was stored, before any of its losses was known.
      expect(then).toMatchObject({
        expected,
        low90,
        high90,
        var95,
        es95,
        made_at,
        basis,
        decisions,
      });
      expect(then).toMatchObject({ realised: '0.00', status: 'open', is_exception: null });
      expect(Date.parse(made_at)).toBe(startOf(index + 1) + DAY);
      const hit = (lost[index] ?? 0) > Number(var95);
      hits.push(hit);
      expect(month).toMatchObject({
        ...{ realised: `${lost[index]}.00`, status: 'compared', is_exception: hit },
        decisions: DECISIONS,
      });
    }
    expect(months[0]?.basis).toBe('prior');
    expect(months.at(-1)?.basis).toBe('experience');
    const inside = months.filter(
      ({ low90, high90 }, index) =>
        Number(low90) <= (lost[index] ?? 0) && (lost[index] ?? 0) <= Number(high90),
    );
    const exceptions = hits.filter(Boolean).length;
    expect(exceptions).toBeGreaterThan(1);
    expect(exceptions).toBeLessThan(MONTHS / 2);
    expect(summary).toMatchObject({ periods: MONTHS, exceptions });
    expect(summary.coverage).toBeCloseTo(inside.length / MONTHS, 12);
    const [own, independence] = [kupiec(hits), christoffersen(hits)];
    expect(summary.kupiec?.statistic).toBeCloseTo(own.statistic, 9);
    expect(summary.kupiec?.p_value).toBeCloseTo(own.p_value, 8);
    expect(summary.christoffersen?.statistic).toBeCloseTo(independence.statistic, 9);
    expect(summary.christoffersen?.p_value).toBeCloseTo(independence.p_value, 8);
    const clustered = independence.p_value < 0.05 ? 'clustered' : 'consistent';
    const often = exceptions > 0.05 * MONTHS ? 'too_low' : 'too_high';
    expect(summary.verdict).toBe(own.p_value < 0.05 ? often : clustered);

    // A decision that is added to a month later takes it out of the comparison.
    const late = new Date(startOf(5) + DAY).toISOString();
    await client.post('/decisions/batch', { decisions: [decision({ timestamp: late })] });
    await nightly(bed, scope);
    const changed = await read();
    expect(changed.periods).toBe(MONTHS - 1);
    expect(changed.months[5]).toMatchObject({ status: 'changed', is_exception: null });
  });
});
