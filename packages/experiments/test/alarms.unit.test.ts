import { finish } from '@decision-ledger/contract/steps';
import { type Alarms, findAlarms } from '@decision-ledger/experiments/alarms';
import type { CovariateColumn } from '@decision-ledger/experiments/comparison';
import { type Observation, sampleOf } from '@decision-ledger/experiments/sample';
import { describe, expect, it } from 'vitest';

/** A decision of a customer of its own. */
type Row = Partial<Observation> & { readonly arm: number };

function alarmsOf(
  rows: readonly Row[],
  arms: number,
  covariates: readonly CovariateColumn[] = [],
): Alarms {
  const observations = rows.map((row, cluster) => ({
    ...{ cluster, propensity: 1 / arms, money: 0, time: 0, covered: null },
    ...row,
  }));
  const clusters = 1 + Math.max(...observations.map(({ cluster }) => cluster));
  return finish(findAlarms(sampleOf(observations, arms, clusters), covariates));
}

/** Customers by their place, 0 to `count` − 1. */
const each = (count: number, row: (n: number) => Row): Row[] =>
  Array.from({ length: count }, (_, n) => row(n));

/** Numbers without a pattern, 0 to below 1. */
const mixed = (n: number, salt: number): number =>
  (Math.imul(Math.imul(n + 1, 0x9e3779b1) ^ (salt * 0x85ebca6b), 0xc2b2ae35) >>> 8) / 2 ** 24;

describe('Propensities', () => {
  it('Halves that are drawn as recorded give no alarm, whatever is known before', () => {
    const rows = each(800, (n) => ({ arm: mixed(n, 1) < 0.5 ? 1 : 0, time: n }));
    const values = Float64Array.from(rows, (_, n) => mixed(n, 2));
    const found = alarmsOf(rows, 2, [{ name: 'prior_net', values }]);
    expect(found).toMatchObject({ imbalance: null, coverage: null, shares: null });
    expect(found.ratio?.p).toBeGreaterThan(0.01);
  });

  it('Arms that follow what the customer paid before are found by it, though the numbers agree', () => {
    const rows = each(400, (n) => ({ arm: mixed(n, 1) < (n % 2 === 0 ? 0.2 : 0.8) ? 1 : 0 }));
    const values = Float64Array.from(rows, (_, n) => (n % 2 === 0 ? 10 + n / 1000 : 20 + n / 1000));
    const { ratio, imbalance } = alarmsOf(rows, 2, [{ name: 'prior_net', values }]);
    expect(ratio?.p).toBeGreaterThan(0.01);
    expect(imbalance).toMatchObject({ known: 'prior_net', ends: { length: 3 } });
    expect(imbalance?.test.p).toBeLessThan(1e-6);
    const { decisions = 0, standFor = 0, band = 0 } = imbalance?.test.worst ?? {};
    expect(decisions).toBe(100);
    // Of the lower half about 20 of 100 are in arm 1, each of which stands for two.
    if (band < 2) expect(standFor).toBeLessThan(60);
    else expect(standFor).toBeGreaterThan(140);
  });

  it('A ramp that is recorded as halves is found by the time', () => {
    const rows = each(400, (n) => ({ arm: mixed(n, 1) < 0.1 + (0.8 * n) / 400 ? 1 : 0, time: n }));
    expect(alarmsOf(rows, 2).imbalance).toMatchObject({ known: 'time' });
    const stated = rows.map((row, n) => {
      const own = 0.1 + (0.8 * n) / 400;
      return { ...row, propensity: row.arm === 1 ? own : 1 - own };
    });
    expect(alarmsOf(stated, 2).imbalance).toBeNull();
  });

  it('Propensities of the other arm are found by their bands', () => {
    const rows = each(600, (n) => {
      const own = 0.2 + (0.6 * (n % 7)) / 6;
      const arm = mixed(n, 1) < own ? 1 : 0;
      return { arm, propensity: arm === 1 ? own : 1 - own };
    });
    expect(alarmsOf(rows, 2).imbalance).toBeNull();
    const swapped = rows.map((row) => ({ ...row, propensity: 1 - (row.propensity ?? 0) }));
    const { imbalance } = alarmsOf(swapped, 2);
    expect(imbalance).toMatchObject({ known: 'propensity' });
    expect(imbalance?.test.p).toBeLessThan(1e-6);
  });

  it('Propensities that are rounded, each in its own arm, are no alarm', () => {
    const rows = each(800, (n) => {
      const arm = mixed(n, 1) < 0.125 ? 1 : 0;
      return { arm, propensity: arm === 1 ? 0.13 : 0.88 };
    });
    expect(alarmsOf(rows, 2).imbalance).toBeNull();
    const varying = each(800, (n) => {
      const own = n % 2 === 0 ? 0.125 : 0.6;
      const arm = mixed(n, 1) < own ? 1 : 0;
      return { arm, propensity: Math.round(100 * (arm === 1 ? own : 1 - own) + 1e-9) / 100 };
    });
    expect(alarmsOf(varying, 2).imbalance).toBeNull();
  });

  it('In three arms, the arm and the customers that are wrong are named', () => {
    const rows = each(900, (n) => {
      const limits = n % 3 === 0 ? [0.2, 0.4] : [0.4, 0.8];
      const at = mixed(n, 1);
      return { arm: limits.filter((limit) => at >= limit).length };
    });
    const values = Float64Array.from(rows, (_, n) => (n % 3 === 0 ? 5 : 0));
    const { imbalance } = alarmsOf(rows, 3, [{ name: 'prior_decisions', values }]);
    expect(imbalance).toMatchObject({ known: 'prior_decisions', ends: [2.5] });
    const { arm, band, decisions } = imbalance?.test.worst ?? {};
    expect(arm).toBe(2);
    expect(decisions).toBe(band === 1 ? 300 : 600);
  });

  it('A rare arm that no decision of a band came into is no alarm', () => {
    const rows = each(400, (n) => {
      const arm = n % 20 === 0 && n >= 100 ? 1 : 0;
      return { arm, time: n, propensity: arm === 1 ? 0.04 : 0.96 };
    });
    expect(alarmsOf(rows, 2).imbalance).toBeNull();
  });

  it('Repeated decisions of a customer are no further evidence', () => {
    const rows = each(200, (n) => ({ arm: mixed(n, 3) < 0.5 ? 1 : 0, cluster: n, time: n }));
    const repeated = rows.flatMap((row) => Array.from({ length: 20 }, () => row));
    expect(alarmsOf(repeated, 2).ratio?.p).toBeCloseTo(alarmsOf(rows, 2).ratio?.p ?? 0, 9);
    expect(alarmsOf(repeated, 2).imbalance).toBeNull();
  });
});

describe('Links', () => {
  /** Every third decision has money, of which a share counts. */
  const money = (share: (arm: number, n: number) => number | null): Row[] =>
    each(900, (n) => ({ arm: n % 2, covered: n % 3 === 0 ? share(n % 2, n) : null }));

  it('Equal coverage gives no alarm, be it full or half', () => {
    expect(
      alarmsOf(
        money(() => 1),
        2,
      ),
    ).toMatchObject({ coverage: null, shares: null });
    const half = money((_, n) => (mixed(n, 1) < 0.5 ? 1 : 0));
    expect(alarmsOf(half, 2)).toMatchObject({ coverage: null, shares: null });
  });

  it('Money that is only suggested in one arm is a strong alarm with the shares', () => {
    const found = alarmsOf(
      money((arm, n) => (arm === 1 && mixed(n, 1) < 0.5 ? 0 : 1)),
      2,
    ).coverage;
    expect(found?.isStrong).toBe(true);
    expect(found?.means[0]).toBe(1);
    expect(found?.means[1]).toBeCloseTo(0.5, 1);
  });

  it('A certain but small difference is no strong alarm', () => {
    const rows = each(9000, (n) => ({ arm: n % 2, covered: n % 2 === 1 && n % 50 === 1 ? 0 : 1 }));
    expect(alarmsOf(rows, 2).coverage).toMatchObject({ isStrong: false });
  });

  it('Few links that are all full prove nothing about the rest', () => {
    const rows = each(500, (n) => ({
      arm: n < 25 ? 0 : 1,
      propensity: n < 25 ? 0.05 : 0.95,
      covered: n >= 25 && n % 10 === 0 ? 0 : 1,
    }));
    expect(alarmsOf(rows, 2).coverage).toBeNull();
  });

  it('Fewer decisions with money in one arm are told with what is missing', () => {
    const { coverage, shares } = alarmsOf(
      money((arm, n) => (arm === 1 && n % 9 < 5 ? null : 1)),
      2,
    );
    expect(coverage).toBeNull();
    const [full = 0, less = 0] = shares?.means ?? [];
    expect(full).toBeCloseTo(1 / 3, 9);
    expect(shares?.gap).toBeCloseTo(225 * (full - less), 9);
  });

  it('Customers are weighed by their propensities', () => {
    // In arm 1 those who pay are drawn four times as often; weighed, the shares are equal.
    const rows = each(1000, (n) => {
      const pays = n % 2 === 0;
      const own = pays ? 0.8 : 0.2;
      const arm = (n >> 1) % 10 < 10 * own ? 1 : 0;
      return { arm, propensity: arm === 1 ? own : 1 - own, covered: pays ? 1 : null };
    });
    expect(alarmsOf(rows, 2)).toMatchObject({ imbalance: null, shares: null });
  });
});
