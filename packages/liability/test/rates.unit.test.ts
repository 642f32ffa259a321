import { DEFAULT_LIABILITY, LiabilitySettings } from '@decision-ledger/contract/liability-settings';
import { type Aggregate, aggregate } from '@decision-ledger/liability/aggregate';
import type { Pool } from '@decision-ledger/liability/aggregate-plan';
import type { Facts } from '@decision-ledger/liability/estimator';
import { estimator } from '@decision-ledger/liability/estimator';
import type { Experience } from '@decision-ledger/liability/experience';
import { AMOUNT_BINS, Learner, type OutcomesRow } from '@decision-ledger/liability/learning';
import { Parse } from 'typebox/value';
import { describe, expect, it } from 'vitest';

const settings = Parse(LiabilitySettings, DEFAULT_LIABILITY);
const NOTHING: Experience = { action_types: {}, dispersion: null };

const facts = (fields: Partial<Facts> = {}): Facts => ({
  actionType: 'refund',
  agentId: 'a',
  variant: '',
  confidence: 0.8,
  oversight: 'none',
  timestamp: 0,
  provenance: 'approved',
  stated: 1000,
  inBase: true,
  isDenied: false,
  linked: null,
  realised: 0,
  ...fields,
});

const row = (fields: Partial<OutcomesRow>): OutcomesRow => {
  const { decisions = 0, losses = 0 } = fields;
  const confidence = 0.8;
  return {
    action_type: 'refund',
    size_band: null,
    is_fresh: false,
    agent_id: 'a',
    variant: '',
    confidence_bin: 8,
    oversight: 'none',
    decisions,
    losses,
    confidence: confidence * decisions,
    confidence_squares: confidence ** 2 * decisions,
    confidence_lost: confidence * losses,
    severity_sum: losses,
    severity_squares: losses,
    severity_count: losses,
    ...fields,
  };
};

const learned = (...rows: Partial<OutcomesRow>[]): Experience => {
  const learner = new Learner();
  learner.addOutcomes(rows.map(row));
  return learner.experience();
};

const probability = (experience: Experience, fields: Partial<Facts> = {}) =>
  estimator(settings, experience).estimate(facts(fields), 0).parts.loss_probability;

describe('Amounts at risk', () => {
  /** Amounts of 100, 200 and 300, and one of 9,000, which is far beyond them. */
  const known = (...more: number[]) => {
    const learner = new Learner();
    const amounts = [100, 200, 200, 300, 300, ...more];
    learner.addAmounts(
      amounts.map((amount) => ({
        ...{ action_type: 'refund', decisions: 1 },
        bin: Math.floor(Math.log(amount) * AMOUNT_BINS),
      })),
    );
    return learner.experience();
  };
  const atRisk = (fields: Partial<Facts>, experience = known()) => {
    const { parts } = estimator(settings, experience).estimate(facts(fields), 0);
    return [Math.round(parts.amount_at_risk), parts.amount_basis, parts.outlier];
  };

  it.for([
    ['approved', 2900, [2900, 'approved', false]],
    ['approved', 50_000, [50_000, 'approved', true]],
    ['claimed', 2900, [2900, 'claimed', false]],
    ['claimed', 50_000, [198, 'median', true]],
    ['unapproved', 2900, [198, 'median', false]],
    ['unapproved', 50_000, [198, 'median', true]],
    ['unapproved', 19.9, [20, 'claimed', false]],
    ['read', null, [0, 'read', false]],
    [null, null, [198, 'median', false]],
  ] as const)('Of %s %s, at risk is %j', ([provenance, stated, expected]) => {
    expect(atRisk({ provenance, stated })).toEqual(expected);
  });

  it('An amount in another currency is compared with none', () => {
    expect(atRisk({ stated: 50_000, inBase: false })).toEqual([50_000, 'approved', false]);
  });

  it('One amount far beyond all others stays an outlier, and a second one of its size is usual', () => {
    expect(atRisk({ stated: 9000 }, known(9000))).toEqual([9000, 'approved', true]);
    expect(atRisk({ stated: 9000 }, known(9000, 9000))).toEqual([9000, 'approved', false]);
  });

  it('Few amounts make no outlier', () => {
    expect(atRisk({ stated: 1e9 }, NOTHING)).toEqual([1e9, 'approved', false]);
  });

  it('A claim that is not approved counts at most as much as linked money', () => {
    const claim = { provenance: 'unapproved', stated: 500 } as const;
    expect(atRisk({ ...claim, linked: 80 })).toEqual([80, 'linked', false]);
    expect(atRisk({ ...claim, linked: 800 })).toEqual([500, 'claimed', false]);
  });
});

describe('Loss rates', () => {
  it('An estimate without experience matches the hand calculation', () => {
    // q = .01; odds × 2^-.5; × 200 = 1.41836786566947 (computed with 40 digits in mpmath).
    const { estimate } = estimator(settings, NOTHING);
    const { expected, low, high, lossIfAny, parts } = estimate(
      facts({ confidence: 0.9, stated: 200 }),
      0,
    );
    expect(expected).toBeCloseTo(1.41836786566947, 10);
    // Type: Beta(.2, 19.8) has relative variance 19.8 ÷ (.2 × 21). One agent of an unknown spread of
    // .5575 adds (1 + 1/size)-wise: its prior has relative variance .5575. Severity adds 1.8965 ÷ 4 − 1.
    const spread = 0.0015 + 0.0075 + 0.03 + 0.07 + 0.105 + 0.14 + 0.14;
    const rate = 19.8 / (0.2 * 21) + spread;
    const severity = Math.expm1(0.64) / 4;
    expect(parts.uncertainty).toBeCloseTo((1 + rate) * (1 + severity) - 1, 8);
    const v = Math.log((1 + rate) * (1 + severity));
    expect(low).toBeCloseTo(expected * Math.exp(-v / 2 - 1.645 * Math.sqrt(v)), 10);
    expect(high).toBeCloseTo(expected * Math.exp(-v / 2 + 1.645 * Math.sqrt(v)), 10);
    expect(lossIfAny.p50).toBeCloseTo(200 * Math.exp(-0.32), 8);
    expect(lossIfAny.p95).toBeCloseTo(200 * Math.exp(-0.32 + 1.6448536269514722 * 0.8), 8);
  });

  it('With 5,000 decisions at a tenth or five times of the prior, the rate follows the outcomes', () => {
    expect(probability(learned({ decisions: 5000, losses: 5 }))).toBeCloseTo(0.00104, 4);
    expect(probability(learned({ decisions: 5000, losses: 250 }))).toBeCloseTo(0.05, 3);
  });

  it('An overconfident agent is told apart from the others', () => {
    const others = ['b', 'c', 'd'].map((agent_id) => ({ agent_id, decisions: 1000, losses: 5 }));
    const experience = learned({ agent_id: 'a', decisions: 1000, losses: 50 }, ...others);
    expect(probability(experience, { agentId: 'a' }) / 0.05).toBeGreaterThan(0.85);
    expect(probability(experience, { agentId: 'b' }) / 0.005).toBeLessThan(1.3);
    const unknown = probability(experience, { agentId: 'new' });
    expect(unknown).toBeGreaterThan(0.005);
    expect(unknown).toBeLessThan(0.05);
  });

  it('A curve may rise with confidence if outcomes do', () => {
    const at = (confidence: number, losses: number): Partial<OutcomesRow> => ({
      confidence_bin: Math.floor(confidence * 10),
      decisions: 2000,
      losses,
      confidence: confidence * 2000,
      confidence_lost: confidence * losses,
    });
    const experience = learned(at(0.55, 10), at(0.95, 100));
    expect(probability(experience, { confidence: 0.95 })).toBeGreaterThan(
      3 * probability(experience, { confidence: 0.55 }),
    );
  });

  it('Versions that differ widen the estimate of a new version, and alike ones do not', () => {
    const versions = (losses: readonly number[]) =>
      learned(...losses.map((one, n) => ({ variant: `v${n}`, decisions: 1000, losses: one })));
    const uncertainty = (experience: Experience) =>
      estimator(settings, experience).estimate(facts({ variant: 'new' }), 0).parts.uncertainty;
    const apart = uncertainty(versions([2, 60, 5, 40, 8, 30, 3, 70, 12, 20]));
    const alike = uncertainty(versions([25, 24, 26, 25, 23, 27, 25, 26, 24, 25]));
    expect(apart).toBeGreaterThan(4 * alike);
  });

  /** Ten calm versions at a rate of 0.02, and a new one with 60 outcomes. */
  const withNew = (losses: number, decisions = 60) =>
    learned(
      ...Array.from({ length: 10 }, (_, n) => ({
        ...{ variant: `v${n}`, decisions: 500, losses: 9 + (n % 3) },
      })),
      { variant: 'new', decisions, losses },
    );

  it('A version that loses five times as often is learned from 60 outcomes', () => {
    const of = (losses: number) => probability(withNew(losses), { variant: 'new' });
    expect(of(6) / 0.1).toBeGreaterThan(0.7);
    expect(of(1) / 0.02).toBeGreaterThan(0.75);
    expect(of(1) / 0.02).toBeLessThan(1.1);
    expect([of(0), of(2), of(4), of(6), of(9)]).toEqual(
      [of(0), of(2), of(4), of(6), of(9)].sort((a, b) => a - b),
    );
  });

  it('Calm outcomes of a changed version are believed too', () => {
    const version = { variant: 'new' };
    expect(probability(withNew(2, 1000), version)).toBeLessThan(0.006);
  });

  it('A version without outcomes has the rate of its agent and the spread of its versions', () => {
    const { parts } = estimator(settings, withNew(1)).estimate(facts({ variant: 'other' }), 0);
    expect(parts.version_factor).toBe(1);
    const own = estimator(settings, withNew(1)).modelOf('refund');
    const { agent, version } = own.rateOf('a', 'other');
    expect(version.variance - agent.variance).toBeCloseTo(own.rates.spread.versions, 2);
  });

  it('Recent decisions count only once one of them cost money', () => {
    const mature = { decisions: 100, losses: 1 };
    const calm = learned(mature, { is_fresh: true, decisions: 500, losses: 0 });
    expect(calm).toEqual(learned(mature));
    const lossy = learned(mature, { is_fresh: true, decisions: 50, losses: 20 });
    expect(probability(lossy)).toBeGreaterThan(5 * probability(calm));
  });

  it('A denied decision has no amount at risk', () => {
    const { expected, parts } = estimator(settings, NOTHING).estimate(facts({ isDenied: true }), 0);
    expect([expected, parts.amount_at_risk, parts.amount_basis]).toEqual([0, 0, 'denied']);
  });
});

const POOL: Pool = {
  actionType: 'refund',
  agentId: 'a',
  variant: '',
  decisions: 1000,
  expected: 1000,
  events: 10,
  eventSquares: 0.1,
  sizes: 100_000,
  stake: 100_000,
  realised: 0,
};

const total = (pools: readonly Pool[], experience: Experience = NOTHING): Aggregate => {
  const { dispersion } = experience;
  return aggregate({ pools, estimator: estimator(settings, experience), dispersion, seed: 's' });
};

describe('Totals', () => {
  it('A total is seeded, ordered and independent of the order of the pools', () => {
    const other = { ...POOL, agentId: 'b' };
    const first = total([POOL, other]);
    expect(total([other, POOL])).toEqual(first);
    const { low90, p50, high90, var95, es95 } = first;
    expect([low90, p50, high90, es95]).toEqual([low90, p50, high90, es95].sort((a, b) => a - b));
    expect(var95).toBe(high90);
    expect(first.expected).toBe(2000);
    expect(first.basis).toBe('prior');
  });

  it('With much experience the interval is that of the number and the sizes of losses', () => {
    const experience = learned({ decisions: 1_000_000, losses: 10_000 });
    const { low90, high90, basis } = total([POOL], experience);
    expect(basis).toBe('experience');
    // 10 losses of mean 100; sd √(10 × 100² × 1.04), as sizes are nearly equal.
    expect(low90).toBeGreaterThan(400);
    expect(low90).toBeLessThan(620);
    expect(high90).toBeGreaterThan(1450);
    expect(high90).toBeLessThan(1750);
  });

  it('Realised losses are certain', () => {
    const { low90, es95 } = total([{ ...POOL, expected: 0, events: 0, sizes: 0, realised: 80 }]);
    expect([low90, es95]).toEqual([80, 80]);
  });

  it('More than 10,000 pools are simulated in bounded time', () => {
    const pools = Array.from({ length: 12_000 }, (_, n) => ({ ...POOL, actionType: `t${n}` }));
    const { low90, high90, expected } = total(pools);
    expect(low90).toBeLessThan(expected);
    expect(high90).toBeGreaterThan(expected);
  });
});
