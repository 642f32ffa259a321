import { type KindEvent, kindKeyOf } from '@decision-ledger/attribution/event-kinds';
import { learnSnapshot } from '@decision-ledger/attribution/learning';
import type { EventObservation, ReviewedChoice } from '@decision-ledger/attribution/snapshot';
import { DEFAULT_ATTRIBUTION } from '@decision-ledger/contract/attribution';
import { finish } from '@decision-ledger/contract/steps';
import { describe, expect, it } from 'vitest';
import { knowledgeOf } from '#attribution/knowledge';
import { levelAfter } from '#attribution/levels';
import { toEvent } from './support/choices.js';

const [CODE, COUNTRY] = [1, 2];
const [FREIGHT, DELAY, HERE, THERE] = [10, 11, 20, 21];
const PRIOR = 1 / 3;
const keyOf = (events: readonly KindEvent[]) => finish(kindKeyOf(events, PRIOR));

const many = <Item>(count: number, of: (at: number) => Item) =>
  Array.from({ length: count }, (_, at) => of(at));

/** People said that freight has causes and delays have none, whatever the country. */
const said = (count: number): KindEvent[] =>
  many(count, (at) => ({
    kinds: [
      [CODE, at % 2 === 0 ? FREIGHT : DELAY],
      [COUNTRY, at % 3 === 0 ? HERE : THERE],
    ],
    evidence: null,
    isCaused: at % 2 === 0,
  }));

describe('What may say the kind of an event', () => {
  const kinds = (metadata: Record<string, string | string[]>) => toEvent(metadata).kinds;

  it('Is a value under a key, but no long number and no list', () => {
    expect(kinds({ charge_code: 'DEM', reason: 'late' })).toHaveLength(2);
    expect(kinds({ order_id: '4829131' })).toEqual([]);
    expect(kinds({ reason: ['late', 'broken'] })).toEqual([]);
    expect(kinds({ charge_code: '9004' })).not.toEqual(kinds({ charge_code: '9005' }));
  });

  it('Is the words before a number or a date, whatever these are', () => {
    const may = kinds({ purpose: 'Netting 05/2026' });
    expect(may).toHaveLength(1);
    expect(kinds({ purpose: 'NETTING 06/2026' })).toEqual(may);
    expect(kinds({ purpose: 'Netting 2026-05-31' })).toEqual(may);
    expect(kinds({ purpose: 'Loan interest 05/2026' })).not.toEqual(may);
    expect(kinds({ purpose: 'Travel 00930481' })).toEqual(kinds({ purpose: 'Travel 00662773' }));
  });
});

describe('The key that tells the kinds of a type apart', () => {
  it('Is the one whose values go with causes', () => {
    expect(keyOf(said(20))).toBe(CODE);
  });

  it('Is none while few reviews say so', () => {
    expect(keyOf(said(6))).toBeNull();
  });

  it('Is none where causes do not go with any value', () => {
    const mixed = said(60).map((event, at) => ({ ...event, isCaused: at % 5 < 3 }));
    expect(keyOf(mixed)).toBeNull();
  });

  it('Is none of those with a value for each event', () => {
    const each = said(40).map((event, at) => ({ ...event, kinds: [[CODE, 100 + at] as const] }));
    expect(keyOf(each)).toBeNull();
  });

  it('Shows in delays and amounts as well, without a review', () => {
    const shown = many(
      60,
      (at): KindEvent => ({
        kinds: [[CODE, at % 2 === 0 ? FREIGHT : DELAY]],
        evidence: {
          level: 0.4,
          isShared: true,
          sums: { equal: at % 2 === 0 ? 200 : 0, other: 0, none: at % 2 === 0 ? 0 : 0.3 },
          scale: 1,
        },
        isCaused: null,
      }),
    );
    expect(keyOf(shown)).toBe(CODE);
  });
});

describe('Reviews of one kind', () => {
  const TODAY = 20_000;
  const review = (at: number): ReviewedChoice => ({
    kind: 'audit',
    event_type: 'carrier_charge',
    kinds: [[CODE, at % 2 === 0 ? FREIGHT : DELAY]],
    day: TODAY,
    weight: 1,
    candidates: [
      {
        features: { base: 1, time: 0.5, ledger: -5, identifier_exact: 8, transaction_key: 1 },
        agent_id: 'booking',
        action_type: 'accept_quote',
        hours: 50,
        verdict: at % 2 === 0 ? 'cause' : 'not_cause',
      },
    ],
    none: at % 2 === 0 ? 'not_cause' : 'cause',
  });
  const observed = (at: number): EventObservation => ({
    event_type: 'carrier_charge',
    keys: [],
    identified: null,
    kinds: [[CODE, at % 2 === 0 ? FREIGHT : DELAY]],
    sharing: 2.6,
    transaction: 1,
    options: [['accept_quote', Math.log(50), 0, 'none', 0]],
  });
  const learned = (reviews: number) =>
    knowledgeOf(
      learnSnapshot({
        settings: DEFAULT_ATTRIBUTION,
        choices: many(reviews, review),
        observations: many(100, observed),
        today: TODAY,
      }),
    );

  it('Teach that kind that it has no causes, and leave the other one', () => {
    const { causeless } = learned(30);
    expect(causeless('carrier_charge', [[CODE, DELAY]])).toBeGreaterThan(0.8);
    expect(causeless('carrier_charge', [[CODE, FREIGHT]])).toBeLessThan(0.05);
  });

  it('Leave a kind that nobody has seen as its type', () => {
    const { causeless, eventType } = learned(30);
    expect(causeless('carrier_charge', [[CODE, 99]])).toBe(causeless('carrier_charge', []));
    for (const isShared of [true, false]) {
      expect(eventType('carrier_charge', [[CODE, 99]], isShared)).toBe(
        eventType('carrier_charge', [], isShared),
      );
    }
  });
});

describe('The level of a type after reviews', () => {
  const before = { logOdds: { shared: 0, apart: 0 }, causeless: 1 / 3 };
  const reviews = (caused: number, not: number, isShared = true) => [
    ...many(caused, () => ({ logOdds: 3, isShared, isCaused: true, weight: 1 })),
    ...many(not, () => ({ logOdds: 3, isShared, isCaused: false, weight: 1 })),
  ];

  it('Stays as it is without reviews', () => {
    expect(levelAfter(before, [])).toEqual(before);
  });

  it('Is that of a type without causes once all answers are none', () => {
    expect(levelAfter(before, reviews(0, 5)).causeless).toBeGreaterThan(0.6);
  });

  it('Is not that of a type without causes once some answers name one', () => {
    expect(levelAfter(before, reviews(3, 5)).causeless).toBeLessThan(0.2);
    expect(levelAfter(before, reviews(5, 5)).causeless).toBeLessThan(0.02);
  });

  it('Goes towards the share that people found', () => {
    const { logOdds } = levelAfter(before, reviews(10, 10));
    expect(3 + logOdds.shared).toBeGreaterThan(-0.5);
    expect(3 + logOdds.shared).toBeLessThan(1);
  });

  it('Moves little by one wrong answer among many', () => {
    const right = levelAfter(before, reviews(20, 0));
    const wrong = levelAfter(before, reviews(20, 1));
    expect(right.logOdds.shared - wrong.logOdds.shared).toBeLessThan(0.7);
    expect(wrong.causeless).toBeLessThan(0.001);
  });

  it('Moves for events that share no identifier by the answers about those alone', () => {
    const both = [...reviews(10, 0), ...reviews(0, 10, false)];
    const { logOdds, causeless } = levelAfter(before, both);
    expect(logOdds.shared).toBeGreaterThan(0);
    expect(3 + logOdds.apart).toBeLessThan(0.5);
    expect(causeless).toBeLessThan(0.001);
  });
});
