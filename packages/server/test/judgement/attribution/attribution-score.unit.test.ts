import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  calibrateShares,
  UNCALIBRATED,
} from '#server/domains/judgement/attribution/rules/v1/calibrate';
import { crowding, shareOut } from '#server/domains/judgement/attribution/rules/v1/compete';
import { isSuggested, scoreCandidates } from '#server/domains/judgement/attribution/rules/v1/score';
import { BARE, candidates, PARAMETERS, sum } from './support/attribution.js';

const ROUNDING = 1e-9;
const left = fc.double({ min: 0, max: 1, noNaN: true });
const logOdds = fc.array(fc.double({ min: -800, max: 800, noNaN: true }), { maxLength: 200 });
const calibrations = fc.oneof(
  fc.constant(UNCALIBRATED),
  fc.record({
    slope: fc.double({ min: 0.05, max: 20, noNaN: true }),
    intercept: fc.double({ min: -20, max: 20, noNaN: true }),
  }),
);

describe('Shares of one event', () => {
  it('Shares are never negative and never sum to more than the remaining share, calibrated or not', () => {
    fc.assert(
      fc.property(logOdds, left, calibrations, (values, rest, calibration) => {
        const raw = shareOut(values, rest);
        for (const shares of [raw, calibrateShares(raw, rest, calibration)]) {
          expect(shares).toHaveLength(values.length);
          expect(shares.every((share) => share >= 0 && share <= 1)).toBe(true);
          expect(sum(shares)).toBeLessThanOrEqual(rest + ROUNDING);
        }
      }),
    );
  });

  it('Shares keep the order of the log-odds, calibrated or not', () => {
    fc.assert(
      fc.property(logOdds, left, calibrations, (values, rest, calibration) => {
        const shares = calibrateShares(shareOut(values, rest), rest, calibration);
        const order = values.map((value, at) => ({ value, share: shares[at] ?? 0 }));
        order.sort((a, b) => a.value - b.value || a.share - b.share);
        for (const [at, { share }] of order.entries()) {
          expect(share).toBeGreaterThanOrEqual((order[at - 1]?.share ?? 0) - ROUNDING);
        }
      }),
    );
  });

  it('A share is its odds over one plus all odds, as computed by hand', () => {
    const [a, b] = shareOut([Math.log(3), Math.log(1)], 1);
    expect(a).toBeCloseTo(0.6, 12);
    expect(b).toBeCloseTo(0.2, 12);
    expect(shareOut([Math.log(3), Math.log(1)], 0.5)[0]).toBeCloseTo(0.3, 12);
    expect(shareOut([], 1)).toEqual([]);
  });
});

describe('Crowding', () => {
  it('Few candidates or none are not penalised for crowding', () => {
    expect(crowding([])).toBe(0);
    expect(crowding([Math.log(0.3), Math.log(0.6)])).toBe(0);
  });

  it('Many candidates known only by time are together no likelier than no cause', () => {
    const scores = scoreCandidates(
      Array.from({ length: 50 }, () => ({ ...BARE, hours: 0 })),
      1,
      { parameters: PARAMETERS, calibration: UNCALIBRATED },
    );
    expect(sum(scores.map(({ share }) => share))).toBeCloseTo(0.5, 9);
    expect(scores.some((score) => isSuggested(score, PARAMETERS))).toBe(false);
    expect(scores[0]?.evidence.crowd).toBeLessThan(0);
  });
});

describe('Scores of candidates', () => {
  const model = { parameters: PARAMETERS, calibration: UNCALIBRATED };
  const lists = fc.array(candidates, { minLength: 1, maxLength: 200 });

  it('Scores are bounded, and the evidence adds up to the probability', () => {
    fc.assert(
      fc.property(lists, left, calibrations, (list, rest, calibration) => {
        const scores = scoreCandidates(list, rest, { parameters: PARAMETERS, calibration });
        expect(scores).toHaveLength(list.length);
        expect(sum(scores.map(({ share }) => share))).toBeLessThanOrEqual(rest + ROUNDING);
        for (const { probability, evidence, rawLogit } of scores) {
          const total = sum(Object.values(evidence));
          expect(probability).toBeCloseTo(1 / (1 + Math.exp(-total)), 9);
          expect(Number.isFinite(rawLogit)).toBe(true);
        }
      }),
    );
  });

  it('A candidate nearer in time never scores lower, for any number of others', () => {
    fc.assert(
      fc.property(lists, fc.double({ min: 0, max: 1, noNaN: true }), (list, nearer) => {
        const [one = BARE, ...others] = list;
        const closer = { ...one, hours: one.hours * nearer };
        const share = (candidate: typeof one) =>
          scoreCandidates([candidate, ...others], 1, model)[0]?.share ?? 0;
        expect(share(closer)).toBeGreaterThanOrEqual(share(one) - ROUNDING);
      }),
    );
  });

  it('An additional candidate never raises the score of another', () => {
    fc.assert(
      fc.property(lists, candidates, (list, other) => {
        const before = scoreCandidates(list, 1, model);
        const after = scoreCandidates([...list, other], 1, model);
        for (const [at, { share }] of before.entries()) {
          expect(after[at]?.share ?? 0).toBeLessThanOrEqual(share + ROUNDING);
        }
      }),
    );
  });
});

describe('Worked example of docs/attribution.md', () => {
  it('The worked example gives the documented figures', () => {
    const [idBits, amountBits] = [Math.log2(1001 / 3), Math.log2(1001 / 11)];
    const overlap = { ...BARE.overlap, idBits, amountBits, statesAmounts: true };
    const stating = { ...BARE, hours: 6, overlap };
    const silent = { ...BARE, hours: 6, overlap: { ...BARE.overlap, idBits } };
    const [a, b] = scoreCandidates([stating, silent], 1, {
      parameters: PARAMETERS,
      calibration: UNCALIBRATED,
    });
    const rounded = Object.values(a?.evidence ?? {}).map((value) => Number(value.toFixed(2)));
    expect(rounded).toEqual([-2.94, 2.06, 0, 0, 0, 3.72, 3, 0, 0, 0]);
    expect(a?.probability).toBeCloseTo(0.997, 3);
    expect(a?.share).toBeCloseTo(0.95, 2);
    expect(b?.share).toBeCloseTo(0.05, 2);
  });
});

describe('Suggestion thresholds', () => {
  const [score] = scoreCandidates([BARE], 1, {
    parameters: PARAMETERS,
    calibration: UNCALIBRATED,
  });
  if (score === undefined) throw new Error('there is no score');

  it.for([
    { share: 0.35, probability: 0.1, expected: true },
    { share: 0.34, probability: 0.49, expected: false },
    { share: 0.05, probability: 0.5, expected: true },
    { share: 0.04, probability: 0.99, expected: false },
    { share: 0, probability: 1, expected: false },
  ])(
    'A candidate with share $share and probability $probability is suggested: $expected',
    (one) => {
      const { expected, ...figures } = one;
      expect(isSuggested({ ...score, ...figures }, PARAMETERS)).toBe(expected);
    },
  );
});
