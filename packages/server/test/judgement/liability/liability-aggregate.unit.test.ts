import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aggregate, type Pool } from '#server/domains/judgement/liability/rules/aggregate';
import {
  type Experience,
  estimator,
  type Outcomes,
} from '#server/domains/judgement/liability/rules/estimator';
import {
  ACTION,
  anyExperience,
  anyFacts,
  anySettings,
  facts,
  settingsWith,
  share,
} from './support/liability-model.js';

const NO_EXPERIENCE: Experience = { action_types: {} };
const DEFAULTS = settingsWith();

/** A decision: its probability of a loss, and the amount of that loss. */
interface Risk {
  readonly probability: number;
  readonly stake: number;
}

function poolOf(actionType: string, risks: readonly Risk[], realised = 0): Pool {
  const sum = (value: (risk: Risk) => number) =>
    risks.reduce((total, risk) => total + value(risk), 0);
  return {
    ...{ actionType, realised },
    expected: sum(({ probability, stake }) => probability * stake),
    squares: sum(({ probability, stake }) => (probability * stake) ** 2),
    stake: sum(({ stake }) => stake),
  };
}

const many = (size: number, probability: number, stake: number): Risk[] =>
  Array.from({ length: size }, () => ({ probability, stake }));

/** An independent generator and samplers: no code is shared with what is tested. */
function otherChance(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (((mixed ^ (mixed >>> 14)) >>> 0) + 0.5) / 2 ** 32;
  };
  const normal = () => Math.sqrt(-2 * Math.log(next())) * Math.cos(2 * Math.PI * next());
  /** For integer shapes, a Gamma variate is a sum of exponential ones. */
  const gamma = (shape: number) => {
    let sum = 0;
    for (let at = 0; at < shape; at += 1) sum -= Math.log(next());
    return sum;
  };
  const beta = (a: number, b: number) => {
    const x = gamma(a);
    return x / (x + gamma(b));
  };
  return { normal, beta };
}

interface Trial {
  readonly risks: readonly Risk[];
  /** Integers: the parameters of the Beta distribution of the loss rate. */
  readonly alpha: number;
  readonly beta: number;
  readonly floor: number;
}

/** Simulates every decision: the shared rate, its own probability, its own severity. */
function simulate(trials: readonly Trial[], spread: number, size: number) {
  const { normal, beta: drawBeta } = otherChance(7);
  const sums = Array.from({ length: size }, () => {
    let sum = 0;
    for (const { risks, alpha, beta, floor } of trials) {
      const base = alpha / (alpha + beta);
      const drawn = drawBeta(alpha, beta);
      for (const { probability, stake } of risks) {
        const odds =
          ((probability / (1 - probability)) * (drawn / (1 - drawn))) / (base / (1 - base));
        const moved = Math.max(floor, odds / (1 + odds));
        sum += moved * stake * Math.exp(spread * normal() - spread ** 2 / 2);
      }
    }
    return sum;
  }).sort((a, b) => a - b);
  return { p50: sums[Math.floor(size * 0.5)] ?? 0, p95: sums[Math.floor(size * 0.95)] ?? 0 };
}

const near = (value: number, expected: number, within: number) => {
  expect(value / expected).toBeGreaterThan(1 - within);
  expect(value / expected).toBeLessThan(1 + within);
};

const outcomesOf = (decisions: number, losses: number): Outcomes[] => [
  { confidence_bin: 8, oversight: 'none', decisions, losses },
];

const learned = (actionTypes: Record<string, readonly [number, number]>): Experience => ({
  action_types: Object.fromEntries(
    Object.entries(actionTypes).map(([name, [decisions, losses]]) => [
      name,
      {
        outcomes: outcomesOf(decisions, losses),
        ...{ severity: { sum: 0, count: 0 }, median_amount: null },
      },
    ]),
  ),
});

describe('Aggregate liability', () => {
  it('The aggregate of one decision equals its simulation', () => {
    const risks = many(1, 0.0070918, 200);
    const { expected, p50, p95 } = aggregate([poolOf('a', risks)], DEFAULTS, NO_EXPERIENCE, 'x');
    const truth = simulate([{ risks, alpha: 2, beta: 198, floor: 0.005 }], 0.8, 20_000);
    expect(expected).toBeCloseTo(1.41836, 6);
    near(p50, truth.p50, 0.06);
    near(p95, truth.p95, 0.08);
  });

  it('The aggregate of many equal decisions of a known action type equals their simulation', () => {
    const risks = many(50, 0.03, 1000);
    const experience = learned({ a: [800, 8] });
    const { p50, p95 } = aggregate([poolOf('a', risks)], DEFAULTS, experience, 'x');
    const truth = simulate([{ risks, alpha: 10, beta: 990, floor: 0.005 }], 0.8, 10_000);
    near(p50, truth.p50, 0.04);
    near(p95, truth.p95, 0.06);
  });

  it('The aggregate of mixed action types with a few large amounts equals their simulation', () => {
    const given = {
      refund: [...many(20, 0.01, 500), ...many(2, 0.02, 20_000)],
      loan: many(5, 0.08, 10_000),
      mail: many(60, 0.004, 100),
    };
    const experience = learned({ refund: [100, 1], loan: [600, 4], mail: [0, 0] });
    const settings = settingsWith({ benchmark_floor: 0.2 });
    const pools = Object.entries(given).map(([name, risks]) => poolOf(name, risks, 10));
    const { expected, p50, p95 } = aggregate(pools, settings, experience, 'x');
    const truth = simulate(
      [
        { risks: given.refund, alpha: 3, beta: 297, floor: 0.002 },
        { risks: given.loan, alpha: 6, beta: 794, floor: 0.002 },
        { risks: given.mail, alpha: 2, beta: 198, floor: 0.002 },
      ],
      0.8,
      10_000,
    );
    expect(expected).toBeCloseTo(100 + 800 + 4000 + 24 + 30, 8);
    near(p50, truth.p50 + 30, 0.04);
    near(p95, truth.p95 + 30, 0.06);
  });

  it('Uncertainty of the rate does not average out within an action type, because it is shared', () => {
    const settings = settingsWith({ severity_spread: 0 });
    const spreadOf = (pools: Pool[]) => {
      const { p95, expected } = aggregate(pools, settings, NO_EXPERIENCE, 'x');
      return p95 - expected;
    };
    const half = poolOf('a', many(500, 0.01, 100));
    const one = spreadOf([half]);
    // In quadrature the spread of both would be √2 of that of one.
    expect(spreadOf([half, half])).toBeCloseTo(2 * one, 6);
    expect(spreadOf([half, half])).toBeGreaterThan(1.4 * Math.SQRT2 * one);
    const apart = spreadOf([half, { ...half, actionType: 'b' }]);
    expect(apart).toBeLessThan(1.8 * one);
    expect(apart).toBeGreaterThan(one);
  });

  it('Differences between decisions average out with their number', () => {
    // With a known rate, only the size of losses varies.
    const experience = learned({ a: [100_000_000, 1_000_000] });
    const settings = settingsWith({ benchmark_floor: 0 });
    const widthOf = (size: number) => {
      const pool = poolOf('a', many(size, 0.01, 10_000 / size));
      const { p95, expected } = aggregate([pool], settings, experience, 'x');
      return p95 / expected - 1;
    };
    const [one, hundred, tenThousand] = [widthOf(1), widthOf(100), widthOf(10_000)];
    expect(one).toBeGreaterThan(1.5);
    expect(hundred).toBeLessThan(0.2);
    expect(tenThousand).toBeLessThan(0.02);
  });

  it('Realised losses are included without uncertainty', () => {
    const pool = poolOf('a', many(10, 0.02, 1000));
    const [without, lost] = [0, 5000].map((realised) =>
      aggregate([{ ...pool, realised }], DEFAULTS, NO_EXPERIENCE, 'x'),
    );
    for (const name of ['expected', 'p50', 'p95'] as const) {
      expect(lost?.[name]).toBeCloseTo((without?.[name] ?? 0) + 5000, 6);
    }
    const closed = { actionType: 'a', expected: 0, squares: 0, stake: 0, realised: 42 };
    expect(aggregate([closed], DEFAULTS, NO_EXPERIENCE, 'x')).toEqual({
      ...{ expected: 42, p50: 42, p95: 42 },
    });
    expect(aggregate([], DEFAULTS, NO_EXPERIENCE, 'x')).toEqual({ expected: 0, p50: 0, p95: 0 });
  });

  it('Every draw stays above the floor', () => {
    const settings = settingsWith({ severity_spread: 0, benchmark_floor: 1 });
    const pool = poolOf('a', many(10, 0.01, 1000));
    const { p50 } = aggregate([pool], settings, NO_EXPERIENCE, 'x');
    expect(p50).toBeGreaterThanOrEqual(100);
  });

  it('The aggregate of one decision approximates the interval of its estimate', () => {
    const given = facts({ stated: 20_000, confidence: 0.7 });
    const experience = learned({ [ACTION]: [5000, 50] });
    const { exposure, high, parts } = estimator(DEFAULTS, experience)(given, 0);
    const stake = parts.severity * parts.amount_at_risk;
    const pool = { ...poolOf(ACTION, [{ probability: exposure / stake, stake }]) };
    near(aggregate([pool], DEFAULTS, experience, 'x').p95, high, 0.05);
  });
});

describe('Several action types', () => {
  const typesOf = (size: number) =>
    Array.from({ length: size }, (_, index) =>
      poolOf(`type ${index}`, many(3, 0.1, 1000 + (index % 10) * 500)),
    );

  it('Figures are the same whether action types are drawn alone or together', () => {
    // A prior worth 20 decisions, of which 2 lost.
    const likelihoods = { ...DEFAULTS.likelihoods, possible: 0.1, likely: 0.2 };
    const settings = settingsWith({ benchmark_floor: 0, credibility: 20, likelihoods });
    const all = typesOf(300);
    const truth = simulate(
      all.map(({ stake }) => ({
        risks: many(3, 0.1, stake / 3),
        ...{ alpha: 2, beta: 18, floor: 0 },
      })),
      0.8,
      1500,
    );
    const { p50, p95 } = aggregate(all, settings, NO_EXPERIENCE, 'x');
    near(p50, truth.p50, 0.02);
    near(p95, truth.p95, 0.03);
  });

  it('Figures do not depend on the order of the pools', () => {
    const all = typesOf(100);
    const [one, other] = [all, [...all].reverse()].map((pools) =>
      aggregate(pools, DEFAULTS, NO_EXPERIENCE, 'x'),
    );
    expect(other).toEqual(one);
  });

  it('An action type named __proto__ is treated like any other', () => {
    const pools = ['__proto__', 'constructor', 'plain'].map((name) =>
      poolOf(name, many(3, 0.01, 1000)),
    );
    expect(aggregate(pools, DEFAULTS, NO_EXPERIENCE, 'x').expected).toBeCloseTo(90, 9);
  });
});

describe('Arbitrary aggregates', () => {
  const anyPools = fc.array(fc.record({ given: anyFacts, times: fc.nat(1000), name: fc.nat(60) }), {
    maxLength: 60,
  });

  const anyCase = fc
    .tuple(anySettings, anyExperience, anyPools, fc.string())
    .map(([settings, experience, list, seed]) => {
      const model = estimator(settings, experience);
      const pools = list.map(({ given, times, name }) => {
        const { exposure, parts } = model(given, given.timestamp);
        const { severity, amount_at_risk, response_cost, open_share, realised } = parts;
        const stake = (severity * amount_at_risk + response_cost) * open_share;
        const probability = stake > 0 ? (exposure - realised) / stake : 0;
        const actionType = name === 0 ? ACTION : `type ${name}`;
        return poolOf(actionType, many(times % 3, probability, stake), realised);
      });
      return { settings, experience, pools, seed };
    });

  it('Figures are finite, ordered, never below realised losses, and the same for the same seed', () => {
    fc.assert(
      fc.property(anyCase, ({ settings, experience, pools, seed }) => {
        const figures = aggregate(pools, settings, experience, seed);
        const lost = pools.reduce((sum, { realised }) => sum + realised, 0);
        for (const figure of Object.values(figures)) expect(Number.isFinite(figure)).toBe(true);
        expect(figures.p95).toBeGreaterThanOrEqual(figures.p50);
        // Next to a stake of many billions, a millionth is lost in rounding.
        const largest = Math.max(0, ...pools.flatMap(({ stake, expected }) => [stake, expected]));
        const rounding = 1e-6 + largest * 1e-12;
        expect(figures.p50).toBeGreaterThanOrEqual(lost * (1 - 1e-9) - rounding);
        expect(aggregate(pools, settings, experience, seed)).toEqual(figures);
      }),
      { numRuns: 30 },
    );
  });

  it('Figures of different seeds differ only by chance', () => {
    const pool = poolOf('a', many(100, 0.02, 1000));
    const all = Array.from({ length: 20 }, (_, index) =>
      aggregate([pool], DEFAULTS, NO_EXPERIENCE, `ledger 2026-04-${index}`),
    );
    const figures = all.map(({ p95 }) => p95);
    expect(new Set(figures).size).toBe(20);
    const mean = figures.reduce((sum, figure) => sum + figure, 0) / 20;
    for (const figure of figures) near(figure, mean, 0.08);
    expect(new Set(all.map(({ expected }) => expected)).size).toBe(1);
  });

  it('Figures made inconsistent by rounding are accepted', () => {
    fc.assert(
      fc.property(share, share, share, (expected, squares, stake) => {
        const pool = { actionType: 'a', expected, squares, stake, realised: 0 };
        const figures = aggregate([pool], DEFAULTS, NO_EXPERIENCE, 'x');
        expect(Object.values(figures).every(Number.isFinite)).toBe(true);
        expect(figures.expected).toBe(expected);
      }),
      { numRuns: 50 },
    );
  });
});
