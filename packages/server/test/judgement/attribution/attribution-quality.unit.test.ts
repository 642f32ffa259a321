import { type Audit, judgeAudit, qualityOf } from '@decision-ledger/attribution/audits';
import { calibrationOf, proportionOf } from '@decision-ledger/attribution/proportions';
import { describe, expect, it } from 'vitest';
import { auditsPerStratum } from '#server/domains/judgement/attribution/audits';
import { seeded } from '../../../../proof/test/support/seeded.js';

const equal = (right: number, of: number) =>
  proportionOf(
    Array.from({ length: of }, (_none, index) => ({ weight: 3, right: index < right ? 1 : 0 })),
  );

describe('Weighted shares', () => {
  // Newcombe (1998), Statistics in Medicine 17, table I, method 3.
  it.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])('The interval of %i of %i equal units is the published one', (right, of, low, high) => {
    const own = equal(right, of);
    expect(own?.value).toBeCloseTo(right / of, 12);
    expect(own?.low).toBeCloseTo(low, 4);
    expect(own?.high).toBeCloseTo(high, 4);
    expect(own?.effective_units).toBeCloseTo(of, 9);
  });

  it('Unequal weights leave fewer effective units', () => {
    const all = proportionOf([
      ...Array.from({ length: 10 }, () => ({ weight: 1, right: 1 })),
      { weight: 10, right: 1 },
    ]);
    // (10 + 10)² ÷ (10 × 1 + 100).
    expect(all?.effective_units).toBeCloseTo(400 / 110, 9);
    expect(all).toMatchObject({ value: 1, high: 1, units: 11 });
    const wrong = proportionOf([
      { weight: 1, right: 1 },
      { weight: 1, right: 1 },
      { weight: 10, right: 0 },
      { weight: 10, right: 1 },
    ]);
    // Kish: 22² ÷ 202 = 2.396. Spread: (2 × (10/22)² + 100 × (12/22)² + 100 × (10/22)²) ÷ 22².
    const spread = (2 * (10 / 22) ** 2 + 100 * (12 / 22) ** 2 + 100 * (10 / 22) ** 2) / 484;
    expect(wrong?.value).toBeCloseTo(12 / 22, 12);
    expect(wrong?.effective_units).toBeCloseTo(
      Math.min(484 / 202, ((12 / 22) * (10 / 22)) / spread),
      9,
    );
  });
});

describe('Calibration', () => {
  it('Bins, error and the error by chance match the hand calculation', () => {
    const own = calibrationOf([
      { share: 0.95, weight: 2, right: 1 },
      { share: 0.91, weight: 2, right: 0 },
      { share: 1, weight: 1, right: 1 },
      { share: 0.4, weight: 5, right: 0 },
    ]);
    expect(own?.bins.map(({ from, units }) => [from, units])).toEqual([
      [0.4, 1],
      [0.9, 3],
    ]);
    expect(own?.bins[1]?.mean_share).toBeCloseTo((2 * 0.95 + 2 * 0.91 + 1) / 5, 12);
    expect(own?.bins[1]?.observed).toBeCloseTo(0.6, 12);
    // |3 − 4.72| + |0 − 2| = 3.72 of 10.
    expect(own?.ece).toBeCloseTo(0.372, 12);
    const variance = 4 * 0.95 * 0.05 + 4 * 0.91 * 0.09;
    const chance = Math.sqrt(2 / Math.PI) * (Math.sqrt(variance) + Math.sqrt(25 * 0.24));
    expect(own?.ece_by_chance).toBeCloseTo(chance / 10, 12);
    expect(calibrationOf([])).toBeNull();
  });

  it('A calibrated model has the error that chance explains, and another one more', () => {
    const random = seeded(3);
    const draw = (truth: (share: number) => number) => {
      const rounds = Array.from({ length: 300 }, () =>
        calibrationOf(
          Array.from({ length: 200 }, () => {
            const share = random();
            return { share, weight: 1 + random(), right: random() < truth(share) ? 1 : 0 };
          }),
        ),
      );
      const mean = (name: 'ece' | 'ece_by_chance') =>
        rounds.reduce((sum, one) => sum + (one?.[name] ?? 0), 0) / rounds.length;
      return mean('ece') / mean('ece_by_chance');
    };
    expect(draw((share) => share)).toBeGreaterThan(0.9);
    expect(draw((share) => share)).toBeLessThan(1.1);
    expect(draw((share) => share ** 3)).toBeGreaterThan(1.8);
  });
});

describe('Answers of audits', () => {
  const suggestions = [
    { decisionId: 'a', share: 0.6, isMatched: true, isSuggested: true },
    { decisionId: 'b', share: 0.3, isMatched: false, isSuggested: true },
  ];
  const nothing = { causes: [], others: [], isNone: false, isSkipped: false };

  it('The named cause is right, and its rivals are wrong', () => {
    expect(judgeAudit(suggestions, { ...nothing, causes: ['a'] })).toEqual({
      suggestions: [
        { share: 0.6, isRight: true },
        { share: 0.3, isRight: false },
      ],
      match: true,
      causes: 1,
      found: { matched: 1, suggested: 1 },
    });
    expect(judgeAudit(suggestions, { ...nothing, causes: ['c'] })).toMatchObject({
      ...{ match: false, causes: 1 },
      found: { matched: 0, suggested: 0 },
    });
    expect(judgeAudit(suggestions, { ...nothing, causes: ['a', 'b'] })).toMatchObject({
      causes: 2,
      found: { matched: 1, suggested: 2 },
    });
  });

  it('A match is right if any step of its case is the cause, suggested or not', () => {
    const further = { decisionId: 'c', share: 0.01, isMatched: true, isSuggested: false };
    const judge = (cause: string, candidates = [...suggestions, further]) =>
      judgeAudit(candidates, { ...nothing, causes: [cause] });
    expect(judge('c')).toEqual({
      suggestions: [
        { share: 0.6, isRight: false },
        { share: 0.3, isRight: false },
      ],
      ...{ match: true, causes: 1, found: { matched: 1, suggested: 0 } },
    });
    expect(judge('b')).toMatchObject({ match: false, found: { matched: 0, suggested: 1 } });
    const guesses = suggestions.map((one) => ({ ...one, isMatched: false }));
    expect(judge('a', guesses)).toMatchObject({ match: null, found: { matched: 0, suggested: 1 } });
  });

  it('Without a cause all suggestions are wrong, and an event without any is an answer too', () => {
    const none = { ...nothing, isNone: true };
    expect(judgeAudit(suggestions, none)).toMatchObject({
      suggestions: [{ isRight: false }, { isRight: false }],
      ...{ match: false, causes: 0 },
    });
    expect(judgeAudit([], none)).toEqual({
      ...{ suggestions: [], match: null, causes: 0, found: { matched: 0, suggested: 0 } },
    });
  });

  it('Rejections answer once all suggestions are rejected, and leave the cause unknown', () => {
    expect(judgeAudit(suggestions, { ...nothing, others: ['a'] })).toBe('unanswered');
    expect(judgeAudit(suggestions, { ...nothing, others: ['b', 'a'] })).toMatchObject({
      suggestions: [{ isRight: false }, { isRight: false }],
      causes: null,
    });
  });

  it('A skipped audit, and one of an event that was not scored, are no answers', () => {
    expect(judgeAudit(suggestions, nothing)).toBe('unanswered');
    expect(judgeAudit([], nothing)).toBe('unanswered');
    expect(judgeAudit(suggestions, { ...nothing, isSkipped: true })).toBe('skipped');
    expect(judgeAudit(null, { ...nothing, causes: ['a'] })).toBe('unanswered');
  });
});

interface Stratum {
  readonly events: number;
  /** Share of its events with a matched suggestion, share of these that are right, share answered. */
  readonly matched: number;
  readonly right: number;
  readonly answers: number;
}

const WORLDS: Readonly<Record<string, readonly Stratum[]>> = {
  'one stratum': [{ events: 3000, matched: 0.9, right: 0.9, answers: 1 }],
  'strata that differ little': [1000, 2000, 500, 100].map((events, index) => {
    return { events, matched: 0.6, right: [0.95, 0.9, 0.85, 0.7][index] ?? 0, answers: 1 };
  }),
  'two large strata that differ much': [0.75, 0.98].map((right) => {
    return { events: 5000, matched: 0.7, right, answers: 1 };
  }),
  'answers that depend on the stratum': [
    { events: 4000, matched: 0.6, right: 0.8, answers: 0.5 },
    { events: 1000, matched: 0.6, right: 0.95, answers: 0.95 },
    { events: 300, matched: 0.6, right: 0.9, answers: 0.8 },
  ],
  'eight strata of all sizes': [4000, 2500, 800, 300, 200, 100, 50, 20].map((events, index) => {
    const right = [0.95, 0.85, 0.9, 0.7, 0.99, 0.8, 0.6, 0.9][index] ?? 0;
    return { events, matched: 0.6, right, answers: 0.9 };
  }),
};

/** The audits of some months of a world. */
function draw(world: readonly Stratum[], months: number, random: () => number): Audit[] {
  const each = auditsPerStratum(world.map(({ events }) => events));
  return Array.from({ length: months }, (_none, month) =>
    world.flatMap(({ events, matched, right, answers }, stratum) => {
      const audits = Math.min(each, events);
      return Array.from({ length: audits }, (): Audit => {
        const about = {
          ...{ month: `2026-0${month + 1}`, stratum: String(stratum) },
          probability: audits / events,
        };
        if (random() >= answers) return { ...about, answer: 'unanswered' };
        const one = { share: 0.9, isRight: random() < right };
        const suggestions = random() < matched ? [one] : [];
        const match = suggestions[0]?.isRight ?? null;
        const found = { matched: suggestions.length, suggested: suggestions.length };
        const answer = { suggestions, match, causes: 1, found };
        return { ...about, answer };
      });
    }),
  ).flat();
}

describe('Audited quality', () => {
  it.each(Object.entries(WORLDS))(
    'In %s the interval of a precision covers the truth in 92 to 98 of 100 samples',
    (_name, world) => {
      const random = seeded(17);
      const suggested = world.map(({ events, matched }) => events * matched);
      const truth =
        world.reduce((sum, { right }, index) => sum + (suggested[index] ?? 0) * right, 0) /
        suggested.reduce((sum, own) => sum + own, 0);
      let covered = 0;
      const samples = 500;
      for (let n = 0; n < samples; n += 1) {
        const { matched } = qualityOf(draw(world, 3, random)).precision;
        if (matched !== null && matched.low <= truth && truth <= matched.high) covered += 1;
      }
      expect(covered / samples).toBeGreaterThanOrEqual(0.92);
      expect(covered / samples).toBeLessThanOrEqual(0.98);
    },
  );

  it('Estimates do not depend on which strata were answered more often', () => {
    const random = seeded(5);
    const world = WORLDS['answers that depend on the stratum'] ?? [];
    const rounds = 800;
    let [sum, recall] = [0, 0];
    for (let n = 0; n < rounds; n += 1) {
      const quality = qualityOf(draw(world, 3, random));
      sum += quality.precision.matched?.value ?? 0;
      recall += quality.recall.matched?.value ?? 0;
    }
    // (4000 × 0.8 + 1000 × 0.95 + 300 × 0.9) ÷ 5300; unweighted answers would give 0.894.
    expect(sum / rounds).toBeCloseTo(4420 / 5300, 2);
    expect(recall / rounds).toBeCloseTo(0.6, 2);
  });

  it('Below 30 answers there are no figures, with the reason, and counts remain', () => {
    const random = seeded(1);
    const audits = draw([{ events: 500, matched: 1, right: 1, answers: 1 }], 1, random);
    expect(audits).toHaveLength(30);
    const quality = qualityOf(audits);
    expect(quality).toMatchObject({ audits: 30, answered: 30, reason: null, represented: 1 });
    expect(quality.precision.matched).toMatchObject({ value: 1, units: 30 });
    expect(quality.precision.matched?.low).toBeCloseTo(30 / (30 + 3.841458820694124), 12);
    const [first, ...others] = audits;
    if (first === undefined) throw new Error('there are no audits');
    expect(qualityOf([...others, { ...first, answer: 'skipped' }])).toEqual({
      ...{ audits: 30, answered: 29, skipped: 1, unanswered: 0, represented: 1 },
      ...{ reason: 'too_few_answers', calibration: null },
      precision: { matched: null, suggested: null },
      recall: { matched: null, suggested: null },
    });
    expect(qualityOf([])).toMatchObject({ audits: 0, represented: null });
  });

  it('Strata without any answer are not represented', () => {
    const audits = draw(
      [
        { events: 900, matched: 1, right: 1, answers: 0 },
        { events: 100, matched: 1, right: 1, answers: 1 },
      ],
      3,
      seeded(2),
    );
    const quality = qualityOf(audits);
    expect(quality).toMatchObject({ audits: 90, answered: 45, unanswered: 45 });
    expect(quality.represented).toBeCloseTo(0.1, 12);
  });
});
