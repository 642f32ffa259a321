import fc from 'fast-check';
import type { Parameters } from '#server/domains/judgement/attribution/rules/parameters';
import type { Candidate } from '#server/domains/judgement/attribution/rules/signals';

export const PARAMETERS: Parameters = {
  weights: { temporal: 0.35, metadata: 0.3, agent_pattern: 0.2, amount: 0.15 },
  half_life_hours: 72,
  half_life_hours_by_action_type: {},
  suggest_share: 0.35,
  suggest_probability: 0.5,
  ...{ link_types: [], default_link_types: [], unsigned_sources: [] },
};

/** A candidate known only by its time: one half-life before the event. */
export const BARE: Candidate = {
  overlap: {
    agreeingBits: 0,
    comparedBits: 0,
    idBits: 0,
    contradictions: 0,
    amountBits: null,
    statesAmounts: false,
  },
  hours: 72,
  halfLifeHours: 72,
  agentPattern: null,
  amountPlausibility: null,
  saysItFailed: false,
};

const bits = fc.double({ min: 0, max: 64, noNaN: true });
const part = fc.option(fc.double({ min: 0, max: 1, noNaN: true }));

/** Any candidate that extraction can produce. */
export const candidates: fc.Arbitrary<Candidate> = fc.record({
  overlap: fc
    .record({
      agreeingBits: bits,
      otherBits: bits,
      idBits: bits,
      contradictions: fc.nat(6),
      amountBits: fc.option(bits),
    })
    .map(({ otherBits, ...overlap }) => ({
      ...overlap,
      comparedBits: overlap.agreeingBits + otherBits,
      statesAmounts: overlap.amountBits !== null,
    })),
  hours: fc.double({ min: -0.1, max: 400, noNaN: true }),
  halfLifeHours: fc.double({ min: 0.25, max: 2000, noNaN: true }),
  agentPattern: part,
  amountPlausibility: part,
  saysItFailed: fc.boolean(),
});

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
