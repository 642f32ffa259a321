import type { ComparedDecision } from '@decision-ledger/attribution/comparison';
import { matchedSteps } from '@decision-ledger/attribution/labels';
import { scoreEvent } from '@decision-ledger/attribution/score';
import type { PairKnowledge } from '@decision-ledger/attribution/snapshot';
import { describe, expect, it } from 'vitest';
import { citedAmounts } from '#attribution/amount-evidence';
import { fitAmounts } from '#attribution/amount-fit';
import { candidatesOf } from '#attribution/candidates';
import { isLate } from '#attribution/delays';
import { knowledgeOf } from '#attribution/knowledge';
import { sharingOf } from '#attribution/shared-values';
import { seeded } from '../../proof/test/support/seeded.js';
import {
  frequenciesOf,
  priorSnapshot,
  type SomeDecision,
  toDecision,
  toEvent,
} from './support/choices.js';

const SNAPSHOT = priorSnapshot();
const EVENT = toEvent({ order_id: 'ORD-7F31', customer_id: 'C-55181' });
const UNKNOWN = { mean: 0, sd: 1.5, count: 0 };

const pair = (action_type: string, own: Partial<PairKnowledge>): PairKnowledge => ({
  action_type,
  event_type: 'payment',
  compatibility: 0,
  lags: UNKNOWN,
  ...own,
});

/** The labels of decisions, in their order. */
function labelsOf(decisions: readonly ComparedDecision[], event = EVENT, snapshot = SNAPSHOT) {
  const { candidates } = scoreEvent(event, decisions, frequenciesOf(decisions), snapshot, 1);
  const labels = new Map(candidates.map(({ decisionId, label }) => [decisionId, label]));
  return decisions.map(({ decisionId }) => labels.get(decisionId));
}

const labelsIn = (decisions: readonly SomeDecision[], event = EVENT, snapshot = SNAPSHOT) =>
  labelsOf(decisions.map(toDecision), event, snapshot);

const both = (label: 'matched' | 'guessed') => [label, label];

const ofOrder = (id: string, hours: number, outputs: SomeDecision['outputs'] = {}) => ({
  id,
  action: id,
  hours,
  outputs,
  metadata: { order_id: 'ORD-7F31' },
});
const PAID = { amount: 49.9 };

describe('A match by the amount of a case', () => {
  const release = {
    ...ofOrder('release', 2, PAID),
    metadata: { order_id: 'ORD-7F31', customer_id: 'C-55181' },
  };

  it('Holds whichever step states it, and whatever else its steps state', () => {
    expect(labelsIn([release, ofOrder('charge', 1, { amount: 12.3 })])).toEqual(both('matched'));
    expect(labelsIn([release, ofOrder('charge', 1, PAID)])).toEqual(both('matched'));
    expect(labelsIn([release, ofOrder('charge', 3)])).toEqual(both('matched'));
    expect(labelsIn([ofOrder('release', 2), ofOrder('charge', 3)])).toEqual(both('guessed'));
  });

  it('Is none where no step acts: those that read, ask or failed did not move the money', () => {
    for (const action of ['get_order', 'send_reminder', 'call_customer', 'recommend_refund']) {
      expect(labelsIn([{ ...release, action }])).toEqual(['guessed']);
    }
    const failed = { ...toDecision(release), saysItFailed: true };
    expect(labelsOf([failed])).toEqual(['guessed']);
    expect(labelsOf([failed, toDecision(ofOrder('again', 1))])).toEqual(both('matched'));
  });

  it('Is none where only a step that reads states it, and who acts states another amount', () => {
    const reads = { ...ofOrder('get_order', 9, PAID), id: 'read' };
    expect(labelsIn([reads, ofOrder('release', 2)])).toEqual(both('matched'));
    expect(labelsIn([reads, ofOrder('release', 2, { amount: 12.3 })])).toEqual(both('guessed'));
  });

  it('Is none beside another case of the event, or one who may be about the same', () => {
    const event = toEvent({ orders: ['ORD-7F31', 'ORD-8A22'], customer_id: 'C-55181' });
    const other = { id: 'other', metadata: { order_id: 'ORD-8A22' } };
    expect(labelsIn([release, other], event)).toEqual(both('guessed'));
    const ofCustomer = { id: 'other', outputs: PAID, metadata: { customer_id: 'C-55181' } };
    expect(labelsIn([release, ofCustomer])).toEqual(both('guessed'));
    const named = { ...ofCustomer, metadata: { customer_id: 'C-55181', order_id: 'ORD-8A22' } };
    expect(labelsIn([release, named])).toEqual(['matched', 'guessed']);
  });

  it('Belongs to the batch where the event names several of its transactions', () => {
    const event = toEvent({ orders: ['ORD-7F31', 'ORD-8A22'] });
    const batch = { id: 'batch', inputs: { orders: ['ORD-7F31', 'ORD-8A22'] }, outputs: PAID };
    const other = { id: 'other', metadata: { order_id: 'ORD-8A22' } };
    const steps = [batch, ofOrder('release', 9), other];
    expect(labelsIn(steps, event)).toEqual(['matched', 'guessed', 'guessed']);
  });
});

describe('A match by the identifier of a transaction alone', () => {
  const only = ofOrder('release', 2);
  const ofCustomer = (action: string, more = {}) => ({
    id: 'other',
    action,
    hours: 4,
    metadata: { customer_id: 'C-55181', ...more },
  });

  it('Is none where another that acts holds it, or shares the customer and may be about the same', () => {
    expect(labelsIn([only])).toEqual(['matched']);
    expect(labelsIn([only, ofOrder('open', 9)])).toEqual(both('guessed'));
    expect(labelsIn([only, ofCustomer('upgrade')])).toEqual(both('guessed'));
  });

  it('Holds where the other only reads, or names another transaction', () => {
    expect(labelsIn([only, ofCustomer('get_profile')])).toEqual(['matched', 'guessed']);
    const other = ofCustomer('upgrade', { order_id: 'ORD-8A22' });
    expect(labelsIn([only, other])).toEqual(['matched', 'guessed']);
    expect(labelsIn([only, ofOrder('get_order', 9)])).toEqual(both('matched'));
  });

  it('Is none where the decision states other money', () => {
    expect(labelsIn([ofOrder('release', 2, { amount: 12.3 })])).toEqual(['guessed']);
  });
});

describe('A delay', () => {
  const lags = { mean: Math.log(2), sd: 0.4, count: 10 };

  it('Makes no match where nearly all known causes are sooner', () => {
    const old = ofOrder('release', 700, PAID);
    expect(labelsIn([old])).toEqual(['matched']);
    const known = { ...SNAPSHOT, pairs: [pair('release', { lags })] };
    expect(labelsIn([old], EVENT, known)).toEqual(['guessed']);
    expect(labelsIn([ofOrder('release', 3, PAID)], EVENT, known)).toEqual(['matched']);
  });

  it('Is late beyond nineteen in twenty of the narrowest delays of which enough is known', () => {
    const limit = Math.exp(lags.mean + 1.64 * lags.sd);
    expect(isLate(limit * 1.01, [lags])).toBe(true);
    expect(isLate(limit * 0.99, [lags])).toBe(false);
    expect(isLate(1e4, [{ ...lags, count: 7 }])).toBe(false);
    const wide = { mean: 5, sd: 2, count: 100 };
    expect(isLate(limit * 1.01, [wide, lags])).toBe(true);
    expect(isLate(limit * 1.01, [lags, wide])).toBe(false);
  });
});

describe('In worlds of random decisions', () => {
  const ORDERS = ['ORD-7F31', 'ORD-8A22', 'ORD-9B13'];
  const worlds = Array.from({ length: 500 }, (_, seed) => {
    const next = seeded(seed + 1);
    const pick = <Item>(items: readonly Item[]): Item | undefined =>
      items[Math.floor(next() * items.length)];
    return Array.from({ length: 2 + Math.floor(next() * 7) }, (_none, at) => {
      const refs = {
        ...(next() < 0.4 && { order_id: pick(ORDERS) ?? '' }),
        ...(next() < 0.4 && { ticket_id: `T-${55181 + Math.floor(next() * 2)}` }),
        ...(next() < 0.6 && { quote_no: `Q-${70110 + Math.floor(next() * 3)}` }),
        ...(next() < 0.3 && { customer_id: 'C-55181' }),
      };
      const stated = next() < 0.5 ? { amount: pick([49.9, 49.9, 99.8, 12.3]) ?? 1 } : {};
      const action = pick(['release', 'get_order', 'send_mail', 'refund']) ?? '';
      const one = toDecision({
        id: `d${at}`,
        action,
        hours: 1 + 200 * next(),
        metadata: refs,
        outputs: stated,
      });
      return { ...one, saysItFailed: next() < 0.2 };
    });
  });

  it('Who else may have moved the money never makes a match of a guess', () => {
    let matched = 0;
    for (const decisions of worlds) {
      const frequencies = frequenciesOf(decisions);
      const knowledge = knowledgeOf(SNAPSHOT);
      const context = { event: EVENT, frequencies, knowledge, weights: SNAPSHOT.weights };
      const { all } = candidatesOf(decisions, context);
      for (const most of all) {
        const weigh = (share: number, without?: unknown) =>
          all
            .filter((one) => one !== without)
            .map((candidate) => ({ candidate, share: candidate === most ? share : 0 }));
        const steps = matchedSteps(weigh(0.9), 0.03);
        if (steps.size === 0) continue;
        matched += 1;
        expect(steps.has(most)).toBe(true);
        for (const left of all.filter((one) => !steps.has(one))) {
          expect(matchedSteps(weigh(0.9, left), 0.03)).toEqual(steps);
        }
        expect(matchedSteps(weigh(0.49), 0.03).size).toBe(0);
        expect(matchedSteps(weigh(0.9), 0.21).size).toBe(0);
      }
    }
    expect(matched).toBeGreaterThan(50);
  });

  it('An amount that a decision takes over is one that another gives away', () => {
    let moved = 0;
    for (const decisions of worlds) {
      const frequencies = frequenciesOf(decisions);
      const { candidates } = sharingOf(EVENT, decisions, frequencies, knowledgeOf(SNAPSHOT));
      const stated = candidates.map((shared) => {
        const { decision } = shared;
        return { decision, shared, stated: fitAmounts(EVENT, decision.features.amounts) };
      });
      const heldBy = (token: number) => frequencies.byToken.get(token) ?? 0;
      const counted = citedAmounts(stated, heldBy);
      expect(citedAmounts(stated.toReversed(), heldBy).toReversed()).toEqual(counted);
      const before = stated.map((one) => one.stated.fit);
      expect(counted.map(({ fit }) => fit.fit).sort()).toEqual(before.sort());
      for (const { fit, stated: own } of counted) {
        if (fit === own) continue;
        moved += 1;
        expect([fit.fit, own.fit]).toContain('none');
      }
    }
    expect(moved).toBeGreaterThan(4);
  });
});
