import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Learner } from '#server/domains/judgement/liability/rules/learn';

const outcome = (action_type: string, decisions: number, losses = 0) => ({
  ...{ action_type, confidence_bin: 9, oversight: 'none' as const, decisions, losses },
  ...{ severity_sum: losses / 2, severity_count: losses },
});

const binOf = (amount: number) => Math.floor(Math.log(amount) * 50);

describe('Learner', () => {
  it("The learner's sums do not depend on how outcomes are batched", () => {
    const parts = new Learner();
    for (const decisions of [3, 4, 5]) parts.addOutcomes([outcome('a', decisions, 1)]);
    const whole = new Learner();
    whole.addOutcomes([outcome('a', 12, 3)]);
    expect(parts.experience()).toEqual(whole.experience());
    expect(whole.experience().action_types.a).toEqual({
      outcomes: [{ confidence_bin: 9, oversight: 'none', decisions: 12, losses: 3 }],
      severity: { sum: 1.5, count: 3 },
      median_amount: null,
    });
  });

  it('The learner knows a median to within 1 %, from five amounts on', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0.01, max: 1e12, noNaN: true }), { minLength: 1, maxLength: 40 }),
        (amounts) => {
          const learner = new Learner();
          learner.addAmounts(
            amounts.map((amount) => ({ action_type: 'a', bin: binOf(amount), decisions: 1 })),
          );
          const median = learner.experience().action_types.a?.median_amount;
          if (amounts.length < 5) {
            expect(median).toBeNull();
            return;
          }
          const sorted = [...amounts].sort((a, b) => a - b);
          const exact = sorted[Math.ceil(sorted.length / 2) - 1] ?? 0;
          expect(median).toBeGreaterThan(exact * 0.9899);
          expect(median).toBeLessThan(exact * 1.0102);
        },
      ),
    );
  });

  it('The learner keeps the 1,000 most informative action types', () => {
    const learner = new Learner();
    for (let n = 0; n < 12_000; n += 1) learner.addOutcomes([outcome(`type ${n}`, 1 + (n % 5000))]);
    const kept = Object.entries(learner.experience().action_types);
    expect(kept).toHaveLength(1000);
    const least = Math.min(...kept.map(([, { outcomes }]) => outcomes[0]?.decisions ?? 0));
    expect(least).toBeGreaterThanOrEqual(4500);
  });

  it('The learner accepts any text as action type and omits uninformative ones', () => {
    const learner = new Learner();
    for (const name of ['__proto__', 'constructor', 'two\nlines']) {
      learner.addOutcomes([outcome(name, 2)]);
    }
    learner.addOutcomes([outcome('nothing', 0)]);
    expect(Object.keys(learner.experience().action_types).sort()).toEqual([
      ...['__proto__', 'constructor', 'two\nlines'],
    ]);
  });
});
