import { LiabilityBacktest, LiabilityModelFigures } from '@decision-ledger/contract/liability';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forecastMonth } from '#server/domains/judgement/liability/follow';
import { listLiabilityDrifts } from '#server/domains/judgement/liability/index';
import type { Scope } from '#server/platform/principal';
import { type Client, dataOf } from '../../support/client.js';
import { decide, nightly } from '../../support/estimates.js';
import { link, recordEvent } from '../../support/money.js';
import { openTestService, scopeOf, type TestService } from '../../support/service.js';

const DAY = 86_400_000;
let bed: TestService;
let client: Client;
let scope: Scope;
let startedAt: number;

beforeAll(async () => {
  bed = await openTestService('embedded');
  // The database dates decisions by the real clock, so the tests start there.
  bed.clock.advance(Date.now() - bed.clock.now());
  startedAt = bed.clock.now();
  client = (await bed.organisation()).live;
  scope = await scopeOf(bed, client);
});
afterAll(() => bed.close());

async function lose(fields: Readonly<Record<string, unknown>>, amount: string): Promise<void> {
  const { decision_id } = await decide(client, fields);
  const { id } = await recordEvent(client, { amount });
  const body = link(decision_id, id, { link_type: 'loss', correlation_strength: 1 });
  expect((await client.post('/links', body)).status).toBe(201);
}

describe('Recomputed estimates', () => {
  it('An estimate follows from API answers alone, and drift and forecasts are kept', async () => {
    const made = { confidence: 0.8, outputs: { amount: 100 } };
    for (let n = 0; n < 60; n += 1) await decide(client, { ...made, metadata: { model: 'm1' } });
    await lose({ ...made, metadata: { model: 'm1' } }, '50.00');
    await lose({ ...made, metadata: { model: 'm2' } }, '100.00');
    bed.clock.advance(91 * DAY);
    await nightly(bed, scope);

    const { liability } = await decide(client, { ...made, metadata: { model: 'm1' } });
    if (liability === undefined) throw new Error('the receipt has no estimate');
    const query = `?action_type=refund&snapshot=${liability.snapshot}`;
    const model = dataOf(
      await client.get(`/analytics/liability/model${query}`),
      LiabilityModelFigures,
    );

    // Own arithmetic, from here on. Counts of all versions; all confidences and oversights are alike.
    const [first, second] = model.variants.map(({ outcomes }) => ({
      n: outcomes.reduce((sum, { decisions }) => sum + decisions, 0),
      losses: outcomes.reduce((sum, { losses }) => sum + losses, 0),
    }));
    const own = [first, second].sort((a, b) => (b?.n ?? 0) - (a?.n ?? 0));
    expect(own).toEqual([
      { n: 61, losses: 1 },
      { n: 1, losses: 1 },
    ]);
    // All of them state 100: from 4³ to below 4⁴.
    expect(model.sizes).toMatchObject([{ band: 3, decisions: 62, losses: 2, expected: 2 }]);
    expect(liability.parts.amount_factor).toBe(1);
    const q0 = model.settings.likelihoods.possible;
    const k0 = model.settings.credibility;
    const { agents, versions } = model.spread;
    const thin = (n: number, q: number, s: number) => 1 / (1 + (n * q * s) / (1 - q));
    let [alpha, beta] = [k0 * q0 + 2, k0 * (1 - q0) + 60];
    let [n, losses] = [0, 0];
    for (let round = 0; round < 12; round += 1) {
      const q = alpha / (alpha + beta);
      [n, losses] = [0, 0];
      for (const one of [
        { n: 61, losses: 1 },
        { n: 1, losses: 1 },
      ]) {
        const weight = thin(one.n, q, versions);
        n += weight * one.n;
        losses += weight * one.losses;
      }
      const weight = thin(n, q, agents);
      alpha = k0 * q0 + weight * losses;
      beta = k0 * (1 - q0) + weight * (n - losses);
    }
    const type = alpha / (alpha + beta);
    const size = (q: number, s: number) => (1 - q) / (q * s) - 1;
    const below = (q: number, variance: number, s: number, count: number, lost: number) => {
      const k = size(q, s);
      const [a, b] = [k * q + lost, k * (1 - q) + count - lost];
      const rate = a / (a + b);
      const inherited = variance * (((k / (k + count)) * q) / rate) ** 2;
      return { rate, variance: b / (a * (a + b + 1)) + inherited };
    };
    const agent = below(type, beta / (alpha * (alpha + beta + 1)), agents, n, losses);
    // The probability of one loss before 60 decisions without one, one decision after the other.
    const evidence = (q: number, s: number) => {
      const k = size(q, s);
      const [a, b] = [k * q, k * (1 - q)];
      return Array.from({ length: 60 }, (_, at) => (b + at) / (k + 1 + at)).reduce(
        (product, factor) => product * factor,
        a / k,
      );
    };
    const assumed = (0.4 * 61) / (61 + 10);
    const powers = [1, 2, 3, 4, 5, 6].flatMap((power) => [2 ** power, 0.5 ** power]);
    const changed = powers.map((factor) => {
      const odds = (factor * agent.rate) / (1 - agent.rate);
      return { q: odds / (1 + odds), s: 0.1, prior: assumed / 12 };
    });
    const kinds = [{ q: agent.rate, s: versions, prior: 1 - assumed }, ...changed].map(
      ({ q, s, prior }) => ({
        weight: prior * evidence(q, s),
        part: below(q, agent.variance, s, 61, 1),
      }),
    );
    const whole = kinds.reduce((sum, { weight }) => sum + weight, 0);
    const mixed = (of: (part: { rate: number; variance: number }) => number) =>
      kinds.reduce((sum, { weight, part }) => sum + (weight / whole) * of(part), 0);
    const rate = mixed((part) => part.rate);
    const square = mixed((part) => part.rate ** 2 * (1 + part.variance));
    const version = { rate, variance: square / rate ** 2 - 1 };
    const weight = model.settings.severity_credibility;
    const mean = (weight + 1.5) / (weight + 2);
    const around = 1.25 - 2 * mean * 1.5 + 2 * mean ** 2;
    const relative = (5 * weight * Math.expm1(0.64) + around / mean ** 2) / (5 * weight + 2);
    const expected = version.rate * mean * 100;
    const uncertainty = (1 + version.variance) * (1 + relative / (weight + 2)) - 1;
    const v = Math.log1p(uncertainty);
    const at = (z: number) => (expected * Math.exp(-v / 2 + z * Math.sqrt(v))).toFixed(2);
    expect(liability).toMatchObject({
      expected: expected.toFixed(2),
      expected_low: at(-1.645),
      expected_high: at(1.645),
      loss_if_any_p50: (100 * mean * Math.exp(-Math.log1p(relative) / 2)).toFixed(2),
    });

    expect((await client.get('/analytics/liability/model?action_type=x&snapshot=999')).status).toBe(
      404,
    );

    for (let count = 0; count < 12; count += 1) {
      await lose({ ...made, metadata: { model: 'm3' } }, '100.00');
    }
    bed.clock.advance(DAY);
    await nightly(bed, scope);
    const drifts = await listLiabilityDrifts(bed.service.db.ledger(scope), 0, 10);
    expect(drifts.map(({ data }) => data)).toMatchObject([
      { metric: 'loss_rate', agent_id: 'agent', version: 'model=m3', direction: 'up', losses: 12 },
    ]);

    // All decisions are dated by the real clock, in the month in which the test started.
    const made_in = new Date(startedAt);
    const after = Date.UTC(made_in.getUTCFullYear(), made_in.getUTCMonth() + 1, 2);
    await forecastMonth(bed.service.db.ledger(scope), after);
    await forecastMonth(bed.service.db.ledger(scope), after);
    const backtest = async () =>
      dataOf(await client.get('/analytics/liability/backtest'), LiabilityBacktest);
    expect((await backtest()).months).toHaveLength(1);
    bed.clock.advance(200 * DAY);
    const later = await backtest();
    expect(later).toMatchObject({ periods: 1, kupiec: null, verdict: 'too_few_periods' });
    expect(later.agents[0]).toMatchObject({ agent_id: 'agent', losses: 14 });
  });
});
