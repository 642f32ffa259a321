import type { EventObservation, ObservedOption } from '@decision-ledger/attribution/snapshot';
import { finish } from '@decision-ledger/contract/steps';
import { describe, expect, it } from 'vitest';
import { knowledgeOf } from '#attribution/knowledge';
import { levelsOf } from '#attribution/levels';
import { priorSnapshot } from './support/choices.js';

const SNAPSHOT = priorSnapshot();
const KNOWLEDGE = knowledgeOf(SNAPSHOT);

interface Shared {
  /** What shared identifiers add to the log-odds of a cause; null if none is shared. */
  readonly sharing?: number | null;
  readonly ofAmount?: number;
  readonly transaction?: number;
}

/** An event whose candidates speak for a cause as much as given, in odds. */
function event(
  odds: readonly number[],
  amount: ObservedOption[3] = 'none',
  event_type = 'paid',
  { sharing = null, ofAmount = 0, transaction = 0 }: Shared = {},
): EventObservation {
  // At this delay, the density of the cold start equals that of the background.
  const options = odds.map(
    (one): ObservedOption => ['act', Math.log(88.3), Math.log(one), amount, ofAmount],
  );
  return { event_type, keys: [], identified: null, options, sharing, transaction };
}

const many = (count: number, one: EventObservation) => Array.from({ length: count }, () => one);
const levelOf = (observations: readonly EventObservation[], type = 'paid') =>
  finish(levelsOf(observations, KNOWLEDGE, SNAPSHOT.weights)).get(type) ??
  expect.unreachable('the type has no level');

describe('The level of an event type without reviews', () => {
  it('Stays as it is where delays and amounts are as likely without a cause', () => {
    expect(levelOf(many(40, event([1]))).logOdds.apart).toBeCloseTo(0, 0);
  });

  it('Rises where delays and amounts are those of causes', () => {
    expect(levelOf(many(40, event([20]))).logOdds.apart).toBeGreaterThan(1);
  });

  it('Falls where they average what chance gives', () => {
    // One event in ten happens to come soon after a decision: the mean of the ratios is 1.
    const chance = [...many(36, event([0.1])), ...many(4, event([9]))];
    expect(levelOf(chance).logOdds.apart).toBeLessThan(-1);
  });

  it('Moves little with a single event', () => {
    expect(Math.abs(levelOf([event([0.1])]).logOdds.apart)).toBeLessThan(1);
    expect(Math.abs(levelOf([event([20])]).logOdds.apart)).toBeLessThan(1);
  });

  it('Is that of each type by itself', () => {
    const both = [...many(40, event([20])), ...many(40, event([20], 'none', 'fee'))];
    expect(levelOf(both).logOdds.apart).toBeCloseTo(levelOf(both, 'fee').logOdds.apart, 9);
    expect(levelOf(both).logOdds.apart).toBeCloseTo(
      levelOf(many(40, event([20]))).logOdds.apart,
      9,
    );
  });

  it('Goes with the share of causes that state another amount', () => {
    const equal = [...many(30, event([50], 'equal')), ...many(10, event([0.5], 'other'))];
    expect(levelOf(equal).other).toBeLessThan(0.1);
    expect(levelOf(many(40, event([20], 'other'))).other).toBeGreaterThan(0.7);
  });

  it('Is one for events that share an identifier, and another for those that share none', () => {
    const caused = many(40, event([20], 'none', 'paid', { sharing: 2 }));
    const chance = [...many(36, event([0.1])), ...many(4, event([9]))];
    const { shared, apart } = levelOf([...caused, ...chance]).logOdds;
    expect(shared).toBeGreaterThan(0.5);
    expect(apart).toBeLessThan(-1);
  });

  it('Follows that of the other events of the type where its own say little', () => {
    const unsure = many(3, event([0.7], 'none', 'paid', { sharing: 2 }));
    const chance = [...many(36, event([0.1])), ...many(4, event([9]))];
    expect(levelOf([...unsure, ...chance]).logOdds.shared).toBeLessThan(
      levelOf(unsure).logOdds.shared - 0.3,
    );
  });

  it('Stays as it is for events of which there are none', () => {
    expect(levelOf(many(40, event([20]))).logOdds.shared).toBe(0);
  });

  it('Takes an event with a shared identifier for one, however little that adds', () => {
    const { logOdds } = levelOf(many(40, event([20], 'none', 'paid', { sharing: 0 })));
    expect(logOdds.shared).toBeGreaterThan(1);
    expect(logOdds.apart).toBe(0);
  });
});

describe('The probability that a type of events has no causes', () => {
  const SHARED = { sharing: 2.1 };
  const causeless = (observations: readonly EventObservation[]) => levelOf(observations).causeless;

  it('Starts at one in three', () => {
    expect(causeless([event([0.9])])).toBeCloseTo(1 / 3, 1);
  });

  it('Does not fall because all events share customers with decisions', () => {
    const shared = many(40, event([0.8], 'other', 'paid', SHARED));
    expect(causeless(shared)).toBeGreaterThan(1 / 3);
  });

  it('Falls where the events name the transactions of decisions', () => {
    const named = many(40, event([1.2], 'none', 'paid', { ...SHARED, transaction: 1 }));
    const unnamed = many(40, event([1.2], 'none', 'paid', SHARED));
    expect(causeless(named)).toBeLessThan(causeless(unnamed) / 2);
  });

  it('Vanishes where amounts agree, also those of a few events', () => {
    const ofAmount = Math.log(200);
    const agreeing = many(6, event([200], 'equal', 'paid', { ...SHARED, ofAmount }));
    const others = many(60, event([0.2], 'none'));
    expect(causeless([...agreeing, ...others])).toBeLessThan(0.05);
  });

  it('Falls where most events keep the delays of causes', () => {
    expect(causeless(many(40, event([8], 'none', 'paid', SHARED)))).toBeLessThan(0.1);
  });

  it('Does not fall because of a few clusters of delays', () => {
    const clusters = many(4, event([500], 'none', 'paid', SHARED));
    const usual = many(36, event([0.5], 'none', 'paid', SHARED));
    expect(causeless([...clusters, ...usual])).toBeGreaterThan(1 / 3);
  });

  it('Never reaches nine in ten', () => {
    const nothing = many(500, event([0.01], 'other', 'paid', SHARED));
    expect(causeless(nothing)).toBeLessThanOrEqual(0.9);
  });
});
