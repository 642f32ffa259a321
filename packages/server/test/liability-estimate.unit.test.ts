import { estimate, type Situation } from '@decision-ledger/server/domains/liability/rules/estimate';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const NOBODY = { humanInLoop: false, hasReviewer: false };

function situation(fields: Partial<Situation>): Situation {
  return {
    ...{ confidence: 0.8, oversight: NOBODY, experience: { decisions: 0, losses: 0 } },
    ...{ benchmark: 0.01, amountAtRisk: 1000, severities: { sum: 0, count: 0 } },
    ...{ responseCost: 0, openShare: 1, realised: 0 },
    ...fields,
  };
}

const share = fc.double({ min: 0, max: 1, noNaN: true });
const count = fc.nat({ max: 10_000_000 });

const anySituation: fc.Arbitrary<Situation> = fc
  .record({
    confidence: share,
    humanInLoop: fc.boolean(),
    hasReviewer: fc.boolean(),
    decisions: count,
    losses: share,
    benchmark: fc.double({ min: 1e-6, max: 0.99, noNaN: true }),
    amountAtRisk: fc.double({ min: 0, max: 1e20, noNaN: true }),
    severities: count,
    severity: share,
    responseCost: fc.double({ min: 0, max: 1e9, noNaN: true }),
    openShare: share,
    realised: fc.double({ min: -1e12, max: 1e12, noNaN: true }),
  })
  .map(({ humanInLoop, hasReviewer, decisions, losses, severities, severity, ...rest }) => ({
    ...rest,
    oversight: { humanInLoop, hasReviewer },
    experience: { decisions, losses: Math.floor(losses * decisions) },
    severities: { sum: severity * severities, count: severities },
  }));

const money = (amount: number): string => amount.toFixed(2);

describe('a liability estimate worked by hand', () => {
  it('of a refund of 200 that nobody reviewed', () => {
    // q0 = .01, odds × 2^-.5, q = .0070918; × 200; v = ln(1 + .4925) + .64.
    const { exposure, low, high } = estimate(situation({ confidence: 0.9, amountAtRisk: 200 }));
    expect([exposure, low, high].map(money)).toEqual(['1.42', '0.16', '4.51']);
  });

  it('of a loan of 20,000 with 80 losses in 5,000', () => {
    // q0 = 84 / 5,200, odds × 2^.5, q = .0226931; × .45 × 20,000; v = ln(1 + .01171) + .64.
    const experience = { decisions: 5000, losses: 80 };
    const severities = { sum: 25, count: 80 };
    const { exposure, low, high } = estimate(
      situation({ confidence: 0.7, experience, benchmark: 0.02, amountAtRisk: 20_000, severities }),
    );
    expect([exposure, low, high].map(money)).toEqual(['204.24', '39.08', '556.34']);
  });
});

describe('a liability estimate of any situation', () => {
  const hold = (check: (situation: Situation, other: number) => void) =>
    fc.assert(fc.property(anySituation, share, check), { numRuns: 2000 });

  it('is finite, and its interval stands around what is still open', () => {
    hold((given) => {
      const { exposure, low, high } = estimate(given);
      expect([exposure, low, high].every(Number.isFinite)).toBe(true);
      expect(low).toBeLessThanOrEqual(high);
      expect(exposure).toBeGreaterThanOrEqual(Math.min(low, given.realised));
    });
  });

  it('never rises with confidence', () => {
    hold((given, other) => {
      const [less, more] = [given.confidence, other].sort((a, b) => a - b);
      const exposureAt = (confidence = 0) => estimate({ ...given, confidence }).exposure;
      expect(exposureAt(more)).toBeLessThanOrEqual(exposureAt(less));
    });
  });

  it('never rises with a person who looks at it', () => {
    hold((given) => {
      const alone = estimate({ ...given, oversight: NOBODY }).exposure;
      const flagged = { humanInLoop: true, hasReviewer: false };
      const named = { humanInLoop: true, hasReviewer: true };
      const withFlag = estimate({ ...given, oversight: flagged }).exposure;
      expect(withFlag).toBeLessThanOrEqual(alone);
      expect(estimate({ ...given, oversight: named }).exposure).toBeLessThanOrEqual(withFlag);
    });
  });

  it('never rises with more decisions that went well', () => {
    hold((given, other) => {
      const { decisions, losses } = given.experience;
      const more = { decisions: decisions + Math.floor(other * 1e6), losses };
      expect(estimate({ ...given, experience: more }).exposure).toBeLessThanOrEqual(
        estimate(given).exposure,
      );
    });
  });

  it('never has a loss less likely than half the benchmark', () => {
    hold((given) => {
      const { loss_probability } = estimate(given).parts;
      expect(loss_probability).toBeGreaterThanOrEqual(0.5 * given.benchmark);
      expect(loss_probability).toBeLessThanOrEqual(1);
    });
  });
});
