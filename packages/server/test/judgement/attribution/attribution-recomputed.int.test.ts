import { createHash } from 'node:crypto';
import { AttributionModel } from '@decision-ledger/contract/analytics-quality';
import { ActivityPage } from '@decision-ledger/contract/chain';
import { type Review, ReviewPage } from '@decision-ledger/contract/review';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dataOf, expectRefusal } from '../../support/client.js';
import { openTestService, type TestService } from '../../support/service.js';
import { at, type Desk, openDesk, scoreOf } from '../../support/suggestions-desk.js';

/** Worked out from answers of the API alone, as the documentation says. */
describe('A score that anybody recomputes', () => {
  let test: TestService;
  let desk: Desk;

  beforeAll(async () => {
    test = await openTestService('embedded');
    desk = await openDesk(test);
  });
  afterAll(() => test.close());

  const modelOf = async (query = '') =>
    dataOf(await desk.client.get(`/analytics/attribution-model${query}`), AttributionModel);

  const queue = async () => dataOf(await desk.client.get('/reviews?limit=500'), ReviewPage).reviews;

  /** Sixty orders with two decisions each, and an event about each; audits show no scores. */
  const suggest = async () => {
    const orders = Array.from({ length: 60 }, (_none, index) => `ORD-${8000 + index}`);
    for (const hour of [0, 1]) {
      await desk.decide(
        ...orders.map((order, place) => ({
          metadata: { order_id: order },
          outputs: { amount: 40 + place },
          timestamp: at(hour + place / 7),
        })),
      );
    }
    for (const [place, order] of orders.entries()) {
      const amount = `${40 + place}.00`;
      await desk.happen({ metadata: { order_id: order }, amount, timestamp: at(12 + place / 7) });
    }
    await desk.look();
  };

  it('Before the first model there is none', async () => {
    expectRefusal(await desk.client.get('/analytics/attribution-model'), 'not_found');
  });

  it('The evidence of a suggestion is each feature times the weight of its model', async () => {
    await suggest();
    const links = await desk.links('&status=ML_SUGGESTED');
    expect(links.length).toBeGreaterThan(60);
    for (const link of links) {
      const { model, features, evidence, share, none_share } = scoreOf(link);
      const { weights } = await modelOf(`?model=${model}`);
      let logOdds = 0;
      for (const [name, value] of Object.entries(features)) {
        const product = value * (weights[name] ?? Number.NaN);
        expect(evidence[name] ?? 0).toBeCloseTo(product, 10);
        logOdds += product;
      }
      expect(share).toBe(link.correlation_strength);
      expect(Math.abs(logOdds - Math.log(share / none_share))).toBeLessThan(1e-3);
    }
  });

  it('The shares of an event follow from the evidence of its candidates', async () => {
    const shown = (await queue()).filter(({ kind }) => kind === 'queue');
    expect(shown.length).toBeGreaterThan(20);
    for (const review of shown) {
      const shares = sharesOf(review);
      review.candidates.forEach(({ share }, place) => {
        expect(Math.abs((share ?? Number.NaN) - (shares[place] ?? 0))).toBeLessThan(2e-6);
      });
    }
  });

  it('The snapshot of a model is the text whose digest its record states', async () => {
    const changes = dataOf(
      await desk.client.get('/activity?type=attribution.model_changed'),
      ActivityPage,
    ).activity;
    expect(changes.length).toBeGreaterThan(0);
    for (const { data = {} } of changes) {
      const { model, version, sha256, snapshot, weights } = await modelOf(`?model=${data.model}`);
      expect(createHash('sha256').update(snapshot).digest('hex')).toBe(data.sha256);
      expect({ model, version, sha256 }).toEqual({
        model: data.model,
        version: data.version,
        sha256: data.sha256,
      });
      expect(JSON.parse(snapshot)).toMatchObject({ weights });
    }
    expect((await modelOf()).model).toBe(changes[0]?.data?.model);
    expectRefusal(
      await desk.client.get('/analytics/attribution-model?model=0'),
      'validation_error',
      'model',
    );
  });
});

/** The shares of the candidates of an event that no link of a person concerns. */
function sharesOf({ candidates }: Review): number[] {
  const logOdds = candidates.map(({ evidence = {} }) =>
    Object.entries(evidence).reduce(
      (sum, [name, value]) => (name === 'unrecorded' ? sum : sum + value),
      0,
    ),
  );
  const total = logOdds.reduce((sum, value) => sum + Math.exp(value), 1);
  const x = Math.exp(candidates[0]?.evidence?.unrecorded ?? 0);
  const recorded = (x * total) / (1 - x + x * total);
  return logOdds.map((value) => (recorded * Math.exp(value)) / total);
}
