import { DEFAULT_LIABILITY, LiabilitySettings } from '@decision-ledger/contract/liability-settings';
import { estimator, type Facts } from '@decision-ledger/liability/estimator';
import { Learner } from '@decision-ledger/liability/learning';
import { Parse } from 'typebox/value';
import { describe, expect, it } from 'vitest';

const settings = Parse(LiabilitySettings, DEFAULT_LIABILITY);

/** Decisions of an agent in a band of amounts: 2 contains those from 16 to below 64. */
interface Group {
  readonly agent?: string;
  readonly band: number | null;
  readonly decisions: number;
  readonly losses: number;
  readonly isFresh?: boolean;
}

function learn(groups: readonly Group[]) {
  const learner = new Learner();
  learner.addOutcomes(
    groups.map(({ agent = 'a', band, decisions, losses, isFresh = false }) => ({
      ...{
        action_type: 'refund',
        size_band: band,
        is_fresh: isFresh,
        agent_id: agent,
        variant: '',
      },
      ...{ confidence_bin: 8, oversight: 'none' as const, decisions, losses },
      ...{ confidence: 0.8 * decisions, confidence_squares: 0.64 * decisions },
      ...{ confidence_lost: 0.8 * losses },
      ...{ severity_sum: losses, severity_squares: losses, severity_count: losses },
    })),
  );
  return learner.experience();
}

const FACTS: Facts = {
  ...{ actionType: 'refund', agentId: 'a', variant: '', confidence: 0.8, oversight: 'none' },
  ...{ timestamp: 0, provenance: 'approved', stated: null, inBase: true, isDenied: false },
  ...{ linked: null, realised: 0 },
};

function partsOf(groups: readonly Group[], facts: Partial<Facts>) {
  return estimator(settings, learn(groups)).estimate({ ...FACTS, ...facts }, 0).parts;
}

/** Amounts of 30 are lost in 1 of 100 cases, those of 8,000 in 4 of 100. */
const RISING: Group[] = [
  { band: 2, decisions: 6000, losses: 60 },
  { band: 6, decisions: 2000, losses: 80 },
];

describe('Loss rates by amount', () => {
  it('Large amounts that are lost more often get a higher probability, and small ones a lower one', () => {
    const large = partsOf(RISING, { stated: 8000 });
    const small = partsOf(RISING, { stated: 30 });
    expect(large.loss_probability / 0.04).toBeGreaterThan(0.9);
    expect(large.loss_probability / 0.04).toBeLessThan(1.1);
    expect(small.loss_probability / 0.01).toBeGreaterThan(0.9);
    expect(small.loss_probability / 0.01).toBeLessThan(1.2);
    expect(large.amount_factor).toBeGreaterThan(1);
    expect(small.amount_factor).toBeLessThan(1);
  });

  it('Beyond the known amounts the factor stays level', () => {
    const at = (stated: number) => partsOf(RISING, { stated }).amount_factor;
    expect(at(8e9)).toBe(at(4 ** 6.5));
    expect(at(0.01)).toBe(at(4 ** 2.5));
    expect(at(400)).toBeGreaterThan(at(30));
    expect(at(400)).toBeLessThan(at(8000));
  });

  it('An agent that loses often does not make its large amounts risky', () => {
    const groups: Group[] = [
      { agent: 'calm', band: 2, decisions: 5000, losses: 50 },
      { agent: 'bold', band: 2, decisions: 1000, losses: 40 },
      { agent: 'bold', band: 6, decisions: 1000, losses: 40 },
    ];
    const { amount_factor, loss_probability } = partsOf(groups, { agentId: 'bold', stated: 8000 });
    expect(amount_factor).toBeCloseTo(1, 6);
    expect(loss_probability / 0.04).toBeGreaterThan(0.85);
  });

  it('An agent with large amounts alone is not charged for them twice', () => {
    const groups: Group[] = [...RISING, { agent: 'big', band: 6, decisions: 2000, losses: 80 }];
    const { loss_probability } = partsOf(groups, { agentId: 'big', stated: 8000 });
    expect(loss_probability / 0.04).toBeGreaterThan(0.9);
    expect(loss_probability / 0.04).toBeLessThan(1.1);
  });

  it.for([
    ['no stated amount', { provenance: null }],
    ['an amount in another currency', { stated: 8000, inBase: false }],
    ['an amount of zero', { stated: 0 }],
    ['a linked amount', { provenance: null, linked: 8000 }],
  ] as const)('With %s the factor is 1', ([, facts]) => {
    expect(partsOf(RISING, facts).amount_factor).toBe(1);
  });

  it('Few losses say little, and one size nothing', () => {
    const few = partsOf(
      [
        { band: 2, decisions: 100, losses: 0 },
        { band: 6, decisions: 100, losses: 2 },
      ],
      { stated: 8000 },
    );
    expect(few.amount_factor).toBeLessThan(1.25);
    const one = partsOf([{ band: 3, decisions: 100, losses: 30 }], { stated: 100 });
    expect(one.amount_factor).toBe(1);
  });

  it('Recent outcomes count by size as soon as one of them is a loss, in any order', () => {
    const fresh = RISING.map((group, n) => ({ ...group, isFresh: n === 1 }));
    expect(learn(fresh)).toEqual(learn([...RISING].reverse()));
    const safe = learn([{ band: 2, decisions: 10, losses: 0, isFresh: true }]);
    expect(safe.action_types.refund?.sizes ?? []).toEqual([]);
  });
});
