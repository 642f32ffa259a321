import { DEFAULT_LIABILITY } from '@decision-ledger/contract/liability-settings';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkSettings } from '#server/domains/access/settings/rules/check';
import { estimator, LIABILITY_VERSION } from '#server/domains/judgement/liability/rules/estimator';
import {
  ACTION,
  anyExperience,
  anyFacts,
  anySettings,
  DAY,
  estimateOf,
  experienceOf,
  facts,
  OVERSIGHTS,
  settingsWith,
  share,
} from './support/liability-model.js';

const cents = (amount: number): string => amount.toFixed(2);

// Computed independently with 40 digits (mpmath), step by step as in the comments.
describe('Liability estimates computed by hand', () => {
  it('The estimate of an unreviewed refund of 200 matches the hand calculation', () => {
    // q0 = .01; odds × 2^-.5; q = .00709183932834735; × 200 = 1.41836786566947.
    // v = ln(1 + .99 ÷ (.01 × 201)) + .64 = 1.04047756659713.
    const { exposure, low, high } = estimateOf(facts({ confidence: 0.9, stated: 200 }));
    expect([exposure, low, high].map(cents)).toEqual(['1.42', '0.16', '4.51']);
    expect(exposure).toBeCloseTo(1.41836786566947, 12);
    expect(low).toBeCloseTo(0.157442571985188, 12);
    expect(high).toBeCloseTo(4.51421173367895, 12);
  });

  it('The estimate of a loan of 20,000 with 80 losses in 5,000, each 31 % of the amount, matches the hand calculation', () => {
    // q0 = (4 + 80) ÷ 5,200 = .0161538461538462; odds × 2^.5; q = .0226931452542718.
    // L = (20 + 25) ÷ (20 + 80) = .45; × 20,000 = 204.238307288446.
    // v = ln(1 + (1 − q0) ÷ (q0 × 5,201)) + .64 = .651642168443449.
    const benchmarks = { [ACTION]: { loss_rate: 0.02, source: 'x', as_of: '2026-01-01' } };
    // Outcomes of more confident decisions leave the assumption for 0.7 unchanged.
    const outcomes = [
      { confidence_bin: 9, oversight: 'none' as const, decisions: 5000, losses: 80 },
    ];
    const experience = experienceOf({ outcomes, severity: { sum: 25, count: 80 } });
    const given = facts({ confidence: 0.7, stated: 20_000 });
    const model = estimator(settingsWith({ benchmarks }), experience);
    const { exposure, low, high, parts } = model(given, 0);
    expect(parts.base_rate).toBeCloseTo(0.0161538461538462, 15);
    expect([exposure, low, high].map(cents)).toEqual(['204.24', '39.08', '556.34']);
  });
});

describe('Parts of an estimate', () => {
  const partsOf = (fields: object, settings: object = {}, asOf = 0, own: object = {}) =>
    estimator(settingsWith(settings), experienceOf(own))(facts(fields), asOf).parts;

  it.for([
    ['the stated amount', { stated: 12, linked: 30 }, 12, 'stated'],
    ['zero if zero is stated', { stated: 0, linked: 30 }, 0, 'stated'],
    ['the linked amount', { stated: null, linked: 30 }, 30, 'linked'],
    ['the median if the linked amount is zero', { stated: null, linked: 0 }, 70, 'median'],
    ['the median of the action type', { stated: null }, 70, 'median'],
    [
      'the amount of the matrix if nothing else is known',
      { stated: null, actionType: 'new' },
      1000,
      'matrix',
    ],
  ] as const)('The amount at risk is %s', ([_what, fields, amount, basis]) => {
    const parts = partsOf(fields, {}, 0, { median_amount: 70 });
    expect([parts.amount_at_risk, parts.amount_basis]).toEqual([amount, basis]);
  });

  it('Parts follow the benchmark, or else the cell of the matrix', () => {
    const matrix = { [ACTION]: { likelihood: 'near_certain', severity: 'major' } };
    expect(partsOf({ stated: null }, { matrix })).toMatchObject({
      ...{ base_rate: 0.2, amount_at_risk: 100_000 },
    });
    const benchmarks = { [ACTION]: { loss_rate: 0.03, source: 'x', as_of: '2026-01-01' } };
    expect(partsOf({ stated: null }, { matrix, benchmarks })).toMatchObject({
      ...{ base_rate: 0.03, amount_at_risk: 100_000 },
    });
    const default_cell = { likelihood: 'rare', severity: 'minor' };
    expect(partsOf({ stated: null }, { default_cell })).toMatchObject({
      ...{ base_rate: 0.0005, amount_at_risk: 100 },
    });
  });

  it.for(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    'An action type named %s is treated like any other',
    (actionType) => {
      const given = { actionType, stated: null };
      expect(partsOf(given)).toEqual(partsOf({ actionType: 'new', stated: null }));
      const model = estimator(
        settingsWith(
          JSON.parse(`{"matrix":{"${actionType}":{"likelihood":"likely","severity":"minor"}},
            "loss_horizon_days_by_action_type":{"${actionType}":10}}`),
        ),
        JSON.parse(`{"action_types":{"${actionType}":{"outcomes":[],
          "severity":{"sum":0,"count":20},"median_amount":null}}}`),
      );
      expect(model(facts(given), 5 * DAY).parts).toMatchObject({
        ...{ base_rate: 0.05, amount_at_risk: 100, open_share: 0.5, severity: 0.5 },
      });
      expect(model(facts({ actionType: 'new' }), 5 * DAY).parts.severity).toBe(1);
    },
  );

  it.for([
    [-1000, 1],
    [0, 1],
    [73, 0.8],
    [365, 0],
    [400, 0],
  ])('After %d days the open share of a decision is %d', ([after = 0, open = 0]) => {
    expect(partsOf({}, {}, after * DAY).open_share).toBeCloseTo(open, 12);
  });

  it('Parts use the horizon of the action type', () => {
    const settings = { loss_horizon_days_by_action_type: { [ACTION]: 100 } };
    expect(partsOf({}, settings, 25 * DAY).open_share).toBeCloseTo(0.75, 12);
    expect(partsOf({ actionType: 'new' }, settings, 36.5 * DAY).open_share).toBeCloseTo(0.9, 12);
  });

  it('The odds double for each 0.2 less confidence, within the limits', () => {
    const factors = [1, 0.9, 0.8, 0.6, 0.4, 0.2, 0].map(
      (confidence) => partsOf({ confidence }).confidence_factor,
    );
    const expected = [0.5, Math.SQRT1_2, 1, 2, 4, 4, 4];
    for (const [index, factor] of factors.entries())
      expect(factor).toBeCloseTo(expected[index] ?? 0, 12);
  });

  it('Oversight factors come from the settings', () => {
    const factors = OVERSIGHTS.map((oversight) => partsOf({ oversight }).human_factor);
    expect(factors).toEqual([1, 0.85, 0.7]);
    const oversight = { human_in_loop: 0.6, reviewer: 0.4 };
    expect(
      OVERSIGHTS.map((one) => partsOf({ oversight: one }, { oversight }).human_factor),
    ).toEqual([1, 0.6, 0.4]);
  });

  it('The response cost is added to the cost of a loss', () => {
    const plain = estimateOf(facts({ stated: 200 })).exposure;
    const { exposure, parts } = estimateOf(facts({ stated: 200 }), [], { response_cost: '50.00' });
    expect(exposure).toBeCloseTo(plain * 1.25, 12);
    expect(parts.response_cost).toBe(50);
  });

  it('The version of the model is liability/v1', () => {
    expect(LIABILITY_VERSION).toBe('liability/v1');
  });
});

describe('Arbitrary estimates', () => {
  const hold = <Given extends [unknown, ...unknown[]]>(
    arbitraries: { [Index in keyof Given]: fc.Arbitrary<Given[Index]> },
    check: (...given: Given) => void,
  ) => fc.assert(fc.property(...arbitraries, check), { numRuns: 400 });
  const asOf = fc.integer({ min: -4e12, max: 4e12 });

  it('Every accepted setting gives an estimate, and so do the defaults', () => {
    hold([anySettings], (liability) => {
      // Null in a document restores a default.
      const set = Object.entries(liability).filter(([, value]) => value !== null);
      const document = JSON.parse(JSON.stringify({ liability: Object.fromEntries(set) }));
      expect(checkSettings(document, Date.UTC(2026, 0)).liability).toEqual(liability);
    });
    expect(checkSettings({}, 0).liability).toEqual(DEFAULT_LIABILITY);
  });

  it('An estimate is finite and never below realised losses', () => {
    hold([anySettings, anyExperience, anyFacts, asOf], (settings, experience, given, time) => {
      const { exposure, low, high, parts } = estimator(settings, experience)(given, time);
      for (const figure of [exposure, low, high, ...Object.values(parts)]) {
        if (typeof figure === 'number') expect(Number.isFinite(figure)).toBe(true);
      }
      expect(Math.min(exposure, low)).toBeGreaterThanOrEqual(given.realised);
      expect(high).toBeGreaterThanOrEqual(low);
    });
  });

  it('The probability of a loss is never below the floor nor above 1', () => {
    hold([anySettings, anyExperience, anyFacts, asOf], (settings, experience, given, time) => {
      const { loss_probability } = estimator(settings, experience)(given, time).parts;
      const isKnown = given.actionType === ACTION;
      const { likelihood } = (isKnown && settings.matrix[ACTION]) || settings.default_cell;
      const benchmark =
        (isKnown && settings.benchmarks[ACTION]?.loss_rate) || settings.likelihoods[likelihood];
      expect(loss_probability).toBeGreaterThanOrEqual(settings.benchmark_floor * benchmark);
      expect(loss_probability).toBeLessThanOrEqual(1);
    });
  });

  it('An estimate never rises with confidence, whatever was learned', () => {
    hold([anySettings, anyExperience, anyFacts, share], (settings, experience, given, other) => {
      const model = estimator(settings, experience);
      const at = (confidence: number) => model({ ...given, confidence }, given.timestamp).exposure;
      const [less, more] = [given.confidence, other].sort((a, b) => a - b);
      // Powers of neighbouring numbers may be out of order in their last digit.
      expect(at(more ?? 0)).toBeLessThanOrEqual(at(less ?? 0) * (1 + 1e-12));
    });
  });

  it('An estimate never rises with a human or a reviewer, whatever was learned', () => {
    hold([anySettings, anyExperience, anyFacts], (settings, experience, given) => {
      const model = estimator(settings, experience);
      const [none = 0, human = 0, reviewer = 0] = OVERSIGHTS.map(
        (oversight) => model({ ...given, oversight }, given.timestamp).exposure,
      );
      expect(human).toBeLessThanOrEqual(none);
      expect(reviewer).toBeLessThanOrEqual(human);
    });
  });

  it('An estimate falls over time to the realised losses', () => {
    hold(
      [anySettings, anyExperience, anyFacts, fc.nat(4e12)],
      (settings, experience, given, later) => {
        const model = estimator(settings, experience);
        const now = model(given, given.timestamp).exposure;
        expect(model(given, given.timestamp + later).exposure).toBeLessThanOrEqual(now);
        expect(model(given, given.timestamp + 36_500 * DAY).exposure).toBe(given.realised);
      },
    );
  });
});
