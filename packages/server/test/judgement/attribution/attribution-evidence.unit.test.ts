import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  evidenceOf,
  logOddsOf,
  partsOf,
} from '#server/domains/judgement/attribution/rules/v1/evidence';
import { extractFeatures } from '#server/domains/judgement/attribution/rules/v1/features';
import { overlapOf } from '#server/domains/judgement/attribution/rules/v1/overlap';
import type { Candidate, Overlap } from '#server/domains/judgement/attribution/rules/v1/signals';
import { BARE, candidates, PARAMETERS } from './support/attribution.js';

const evidence = (candidate: Candidate) => evidenceOf(candidate, PARAMETERS);
const logOdds = (candidate: Candidate) => logOddsOf(evidence(candidate));
const more = fc.double({ min: 0, max: 40, noNaN: true });

describe('Evidence of one candidate', () => {
  it('Without other knowledge the evidence is the base rate and time, and the rest adds exactly 0', () => {
    const { base, temporal, ...rest } = evidence(BARE);
    expect(base).toBeCloseTo(Math.log(0.05 / 0.95), 12);
    expect(temporal).toBeCloseTo(8.5 * 0.35 * (0.5 - 0.25), 12);
    expect(Object.values(rest)).toEqual(Object.values(rest).map(() => 0));
    expect(logOdds(BARE)).toBe(base + temporal);
  });

  it('A missing part adds exactly 0, whatever else is known', () => {
    fc.assert(
      fc.property(candidates, (candidate) => {
        const overlap = { ...candidate.overlap, agreeingBits: 0, comparedBits: 0, idBits: 0 };
        const bare: Overlap = { ...overlap, amountBits: null, statesAmounts: false };
        const found = evidence({
          ...candidate,
          overlap: { ...bare, contradictions: 0 },
          agentPattern: null,
          amountPlausibility: null,
        });
        const { metadata, agent_pattern, amount, identifiers, stated_amount, contradiction } =
          found;
        const missing = [metadata, agent_pattern, amount, identifiers, stated_amount];
        expect([...missing, contradiction]).toEqual([0, 0, 0, 0, 0, 0]);
      }),
    );
  });

  it('Parts are between 0 and 1 or missing, and the evidence is finite', () => {
    fc.assert(
      fc.property(candidates, (candidate) => {
        for (const part of Object.values(partsOf(candidate))) {
          if (part !== null) expect(part >= 0 && part <= 1).toBe(true);
        }
        expect(Number.isFinite(logOdds(candidate))).toBe(true);
      }),
    );
  });

  it('Evidence never falls when both sides share more', () => {
    fc.assert(
      fc.property(candidates, more, (candidate, gain) => {
        const before = logOdds(candidate);
        const { overlap } = candidate;
        const amountBits = (overlap.amountBits ?? 0) + gain;
        const better: Partial<Overlap>[] = [
          { idBits: overlap.idBits + gain },
          {
            agreeingBits: overlap.agreeingBits + gain,
            comparedBits: overlap.comparedBits + gain,
          },
          { amountBits, statesAmounts: true },
          { contradictions: Math.max(0, overlap.contradictions - 1) },
        ];
        for (const change of better) {
          const after = logOdds({ ...candidate, overlap: { ...overlap, ...change } });
          expect(after).toBeGreaterThanOrEqual(before - 1e-9);
        }
      }),
    );
  });

  it('Evidence never rises with elapsed time, and moves with each known part', () => {
    fc.assert(
      fc.property(candidates, more, (candidate, gain) => {
        const later = { ...candidate, hours: candidate.hours + gain };
        expect(logOdds(later)).toBeLessThanOrEqual(logOdds(candidate) + 1e-9);
        for (const name of ['agentPattern', 'amountPlausibility'] as const) {
          const low = logOdds({ ...candidate, [name]: 0.2 });
          expect(logOdds({ ...candidate, [name]: 0.8 })).toBeGreaterThan(low);
        }
      }),
    );
  });

  it('A decision just after the event counts as one at the event', () => {
    expect(logOdds({ ...BARE, hours: -0.08 })).toBe(logOdds({ ...BARE, hours: 0 }));
  });

  it('Agreement counts for no more than the bits it carries', () => {
    const agreeing = (bits: number) =>
      evidence({ ...BARE, overlap: { ...BARE.overlap, agreeingBits: bits, comparedBits: bits } });
    expect(agreeing(0.01).metadata).toBeCloseTo(0.01 * Math.LN2, 12);
    expect(agreeing(20).metadata).toBeCloseTo(8.5 * 0.3 * 0.9, 12);
  });

  it('Identifiers approach their maximum contribution and stay below it', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 500, noNaN: true }), (idBits) => {
        const { identifiers } = evidence({ ...BARE, overlap: { ...BARE.overlap, idBits } });
        expect(identifiers).toBeLessThanOrEqual(Math.min(6, idBits * Math.LN2) + 1e-12);
      }),
    );
    const ten = evidence({ ...BARE, overlap: { ...BARE.overlap, idBits: 10 } });
    expect(ten.identifiers).toBeCloseTo(4.11, 2);
  });

  it('Contradictions, failures and other amounts lower the evidence, as computed by hand', () => {
    const overlap = { ...BARE.overlap, contradictions: 1, statesAmounts: true };
    const found = evidence({ ...BARE, overlap, saysItFailed: true });
    expect(found).toMatchObject({ contradiction: -5, stated_amount: -1, failure: -3 });
    const many = evidence({ ...BARE, overlap: { ...overlap, contradictions: 9 } });
    expect(many.contradiction).toBe(-10);
  });
});

describe('Overlap of two sides', () => {
  const bits = (_kind: string, text: string) => (text === 'env=prod' ? 0 : 8);
  const features = (metadata: Record<string, string | number>) => extractFeatures({ metadata });

  it('Overlap is weighted by rarity over the keys that both sides have', () => {
    const overlap = overlapOf(
      features({ env: 'prod', order_id: 'ord-7', region: 'eu' }),
      features({ env: 'prod', orderId: 'ORD-7', channel: 'web' }),
      null,
      bits,
    );
    expect(overlap).toEqual({
      agreeingBits: 8,
      comparedBits: 8,
      idBits: 8,
      contradictions: 0,
      amountBits: null,
      statesAmounts: false,
    });
  });

  it('An identifier counts under another key', () => {
    const found = overlapOf(
      features({ order_id: 'ord-7' }),
      features({ reference: 'ord-7' }),
      null,
      bits,
    );
    expect(found).toMatchObject({ idBits: 8, comparedBits: 0, contradictions: 0 });
  });

  it('The same key with another identifier is a contradiction', () => {
    const found = overlapOf(
      features({ order_id: 'ord-7' }),
      features({ order_id: 'ord-8' }),
      null,
      bits,
    );
    expect(found).toMatchObject({ idBits: 0, contradictions: 1, agreeingBits: 0 });
  });

  it('An equal amount weighs less if the decision states many', () => {
    const one = overlapOf(features({ amount: 5 }), features({}), '5', bits);
    const four = extractFeatures({ outputs: { amount: [5, 6, 7, 8] } });
    expect(one).toMatchObject({ amountBits: 8, statesAmounts: true });
    expect(overlapOf(four, features({}), '5', bits).amountBits).toBe(6);
    expect(overlapOf(four, features({}), '9', bits).amountBits).toBeNull();
    expect(overlapOf(four, features({}), null, bits).statesAmounts).toBe(false);
  });
});
