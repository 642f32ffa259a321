import { type CauseLabel, inheritedCauses } from '@decision-ledger/proof/inheritance';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const LABELS = ['confirmed', 'matched', 'guessed'] as const satisfies readonly CauseLabel[];
const DECISIONS = ['dec_a', 'dec_b', 'dec_c', 'dec_d'] as const;

/** Strengths in thousandths, so that the oracle adds integers. */
const LINKS = fc.array(
  fc.record({
    decision: fc.constantFrom(...DECISIONS),
    thousandths: fc.nat(1000),
    label: fc.constantFrom(...LABELS),
  }),
  { maxLength: 12 },
);
const REFUSED = fc.subarray([...DECISIONS]);

describe('What a reversal takes from its payment', () => {
  it('It is the sum of what each decision claims, by its least certain link, whatever their order', () => {
    fc.assert(
      fc.property(LINKS, REFUSED, fc.infiniteStream(fc.nat()), (links, refused, dice) => {
        const due = DECISIONS.flatMap((decision) => {
          const own = links.filter((one) => one.decision === decision && one.thousandths > 0);
          if (own.length === 0 || refused.includes(decision)) return [];
          const sum = own.reduce((total, one) => total + one.thousandths, 0);
          const worst = Math.max(...own.map(({ label }) => LABELS.indexOf(label)));
          return [{ decision, strength: Math.min(1000, sum) / 1000, label: LABELS[worst] }];
        });
        const told = links.map(({ thousandths, ...link }) => ({
          ...{ ...link, strength: thousandths / 1000 },
        }));
        const shuffled = told
          .map((link) => [dice.next().value, link] as const)
          .sort(([one], [other]) => one - other)
          .map(([, link]) => link);
        expect(inheritedCauses(told, new Set(refused))).toEqual(due);
        expect(inheritedCauses(shuffled, new Set(refused))).toEqual(due);
      }),
      { seed: 2026, numRuns: 500 },
    );
  });

  it('A payment without links passes nothing on', () => {
    expect(inheritedCauses([], new Set())).toEqual([]);
  });
});
