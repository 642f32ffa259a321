import { describe, expect, it } from 'vitest';
import { knowledgeOf } from '#server/domains/judgement/attribution/rules/knowledge';
import { levelsOf } from '#server/domains/judgement/attribution/rules/learn-none';
import type {
  Observation,
  ObservedOption,
} from '#server/domains/judgement/attribution/rules/observation';
import { priorSnapshot } from './support/choice-model.js';

const SNAPSHOT = priorSnapshot();
const KNOWLEDGE = knowledgeOf(SNAPSHOT);

/** An event whose candidates speak for a cause as much as given, in odds. */
function event(
  odds: readonly number[],
  amount: ObservedOption[3] = 'none',
  event_type = 'paid',
): Observation {
  // At this delay, the density of the cold start equals that of the background.
  const options = odds.map((one): ObservedOption => ['act', Math.log(88.3), Math.log(one), amount]);
  return { event_type, keys: [], identified: null, options, level: 0.4 };
}

const many = (count: number, one: Observation) => Array.from({ length: count }, () => one);
const levelOf = (observations: readonly Observation[], type = 'paid') =>
  levelsOf(observations, KNOWLEDGE, SNAPSHOT.weights).get(type) ??
  expect.unreachable('the type has no level');

describe('The level of an event type without reviews', () => {
  it('Stays as it is where delays and amounts are as likely without a cause', () => {
    expect(levelOf(many(40, event([1]))).logOdds).toBeCloseTo(0, 0);
  });

  it('Rises where delays and amounts are those of causes', () => {
    expect(levelOf(many(40, event([20]))).logOdds).toBeGreaterThan(1);
  });

  it('Falls where they average what chance gives', () => {
    // One event in ten happens to come soon after a decision: the mean of the ratios is 1.
    const chance = [...many(36, event([0.1])), ...many(4, event([9]))];
    expect(levelOf(chance).logOdds).toBeLessThan(-1);
  });

  it('Moves little with a single event', () => {
    expect(Math.abs(levelOf([event([0.1])]).logOdds)).toBeLessThan(1);
    expect(Math.abs(levelOf([event([20])]).logOdds)).toBeLessThan(1);
  });

  it('Is that of each type by itself', () => {
    const both = [...many(40, event([20])), ...many(40, event([20], 'none', 'fee'))];
    expect(levelOf(both).logOdds).toBeCloseTo(levelOf(both, 'fee').logOdds, 9);
    expect(levelOf(both).logOdds).toBeCloseTo(levelOf(many(40, event([20]))).logOdds, 9);
  });

  it('Goes with the share of causes that state another amount', () => {
    const equal = [...many(30, event([50], 'equal')), ...many(10, event([0.5], 'other'))];
    expect(levelOf(equal).other).toBeLessThan(0.1);
    expect(levelOf(many(40, event([20], 'other'))).other).toBeGreaterThan(0.7);
  });
});
