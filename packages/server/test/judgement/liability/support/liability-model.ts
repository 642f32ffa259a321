import {
  DEFAULT_LIABILITY,
  LIKELIHOODS,
  LiabilitySettings,
  SEVERITIES,
} from '@decision-ledger/contract/liability-settings';
import { Big } from 'big.js';
import fc from 'fast-check';
import { Parse } from 'typebox/value';
import {
  type ActionTypeExperience,
  type Estimate,
  type Experience,
  estimator,
  type Facts,
  type Outcomes,
  type Oversight,
} from '#server/domains/judgement/liability/rules/estimator';

/** The default settings with these members replaced. */
export function settingsWith(fields: object = {}): LiabilitySettings {
  return Parse(LiabilitySettings, { ...DEFAULT_LIABILITY, ...fields });
}

export const DAY = 86_400_000;
export const ACTION = 'refund';
export const OVERSIGHTS: readonly Oversight[] = ['none', 'human_in_loop', 'reviewer'];

export const facts = (fields: Partial<Facts> = {}): Facts => ({
  ...{ actionType: ACTION, confidence: 0.8, oversight: 'none', timestamp: 0 },
  ...{ stated: 1000, linked: null, realised: 0 },
  ...fields,
});

export const experienceOf = (fields: Partial<ActionTypeExperience> = {}): Experience => ({
  action_types: {
    [ACTION]: {
      ...{ outcomes: [], severity: { sum: 0, count: 0 }, median_amount: null },
      ...fields,
    },
  },
});

export const estimateOf = (
  given: Facts,
  outcomes: readonly Outcomes[] = [],
  settings: object = {},
  asOf = 0,
): Estimate => estimator(settingsWith(settings), experienceOf({ outcomes }))(given, asOf);

export const share = fc.double({ min: 0, max: 1, noNaN: true });
const between = (min: number, max: number) => fc.double({ min, max, noNaN: true });
/** Small rates are as frequent here as large ones. */
const rate = between(-9, 0).map((power) => Math.min(1 - 1e-9, Math.max(1e-9, 10 ** power)));
const days = fc.integer({ min: 1, max: 36_500 });
const amount = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 15n - 1n }), fc.nat(999))
  .map(([whole, cents]) => `${whole}.${cents}`);
/** Ordered by exact value: long decimals that differ may be equal as binary fractions. */
const ascending = <Value extends number | string>(value: fc.Arbitrary<Value>) =>
  fc
    .array(value, { minLength: 5, maxLength: 5 })
    .map((all) => all.sort((a, b) => new Big(a).cmp(b)));
const named = <Value>(names: readonly string[], values: readonly Value[]) =>
  Object.fromEntries(names.map((name, index) => [name, values[index]]));

const cell = fc.record({
  likelihood: fc.constantFrom(...LIKELIHOODS),
  severity: fc.constantFrom(...SEVERITIES),
});
const ofAction = <Value>(value: fc.Arbitrary<Value>) =>
  fc.option(value, { nil: null }).map((one) => (one === null ? {} : { [ACTION]: one }));

/** Any settings that are accepted. */
export const anySettings: fc.Arbitrary<LiabilitySettings> = fc
  .record({
    matrix: ofAction(cell),
    default_cell: cell,
    likelihoods: ascending(rate).map((all) => named(LIKELIHOODS, all)),
    severities: ascending(amount).map((all) => named(SEVERITIES, all)),
    benchmarks: ofAction(rate.map((one) => ({ loss_rate: one, source: 'x', as_of: '2026-01-01' }))),
    response_cost: amount,
    exposure_alert_threshold: fc.option(amount, { nil: null }),
    credibility: between(1, 1e6),
    severity_credibility: between(1, 1e6),
    benchmark_floor: share,
    severity_spread: between(0, 3),
    confidence: fc.record({
      ...{ neutral: share, halving: between(0.01, 10) },
      ...{ least: between(0.01, 1), most: between(1, 100) },
    }),
    oversight: fc
      .tuple(between(0.3, 1), between(0.3, 1))
      .map(([a, b]) => ({ human_in_loop: Math.max(a, b), reviewer: Math.min(a, b) })),
    loss_maturity_days: days,
    loss_maturity_days_by_action_type: ofAction(days),
    loss_horizon_days: days,
    loss_horizon_days_by_action_type: ofAction(days),
  })
  .map((fields) => settingsWith(fields));

/** Around the number at which a group of decisions reaches its own estimate, and far beyond. */
const count = fc.oneof(
  fc.nat(250),
  fc.integer({ min: 195, max: 205 }),
  fc.nat(5000),
  fc.nat(10_000_000),
);

const anyOutcome: fc.Arbitrary<Outcomes> = fc
  .record({
    confidence_bin: fc.nat(9),
    oversight: fc.constantFrom(...OVERSIGHTS),
    decisions: count,
    lost: fc.oneof(share, fc.constant(0), between(0, 0.05)),
  })
  .map(({ lost, ...cell }) => ({ ...cell, losses: Math.floor(lost * cell.decisions) }));

export const anyOutcomes = fc.array(anyOutcome, { maxLength: 20 });

export const anyExperience: fc.Arbitrary<Experience> = fc
  .record({
    outcomes: anyOutcomes,
    severity: fc
      .tuple(fc.nat(100_000), between(0, 10))
      .map(([losses, mean]) => ({ sum: mean * losses, count: losses })),
    median_amount: fc.option(between(0, 1e20), { nil: null }),
  })
  .map((own) => experienceOf(own));

export const anyFacts: fc.Arbitrary<Facts> = fc.record({
  actionType: fc.constantFrom(ACTION, 'other'),
  confidence: fc.oneof(
    share,
    fc.nat(10).map((tenths) => tenths / 10),
  ),
  oversight: fc.constantFrom(...OVERSIGHTS),
  timestamp: fc.integer({ min: -4e12, max: 4e12 }),
  stated: fc.option(between(0, 1e32), { nil: null }),
  linked: fc.option(between(0, 1e32), { nil: null }),
  realised: between(0, 1e20),
});
