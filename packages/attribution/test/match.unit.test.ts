import { labelOf } from '@decision-ledger/attribution/labels';
import { scoreEvent } from '@decision-ledger/attribution/score';
import type { ModelSnapshot, PairKnowledge } from '@decision-ledger/attribution/snapshot';
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

/** What the model says of a decision among others. */
function labelIn(
  decisions: readonly SomeDecision[],
  id: string,
  snapshot: ModelSnapshot = SNAPSHOT,
) {
  const compared = decisions.map(toDecision);
  const { candidates } = scoreEvent(EVENT, compared, frequenciesOf(compared), snapshot, 1);
  const { label, share } = candidates.find(({ decisionId }) => decisionId === id) ?? {};
  expect(share).toBeGreaterThan(0.5);
  return label;
}

const ofOrder = (id: string, hours: number, outputs: SomeDecision['outputs'] = {}) => ({
  id,
  action: id,
  hours,
  outputs,
  metadata: { order_id: 'ORD-7F31' },
});
const PAID = { amount: 49.9 };

describe('A match by the amount of a transaction on which others act', () => {
  const release = {
    ...ofOrder('release', 2, PAID),
    metadata: { order_id: 'ORD-7F31', customer_id: 'C-55181' },
  };

  it('Holds beside one that states another amount, or acted before and states none', () => {
    expect(labelIn([release, ofOrder('charge', 1, { amount: 12.3 })], 'release')).toBe('matched');
    expect(labelIn([release, ofOrder('open', 3)], 'release')).toBe('matched');
  });

  it('Is none beside one that acted later and states it too, or none', () => {
    for (const outputs of [PAID, {}]) {
      const later = { ...ofOrder('refund', 1, outputs), metadata: { reference: 'ORD-7F31' } };
      expect(labelIn([release, later], 'release')).toBe('guessed');
    }
  });

  it('Holds beside an earlier one that states it too only with a clear share', () => {
    const both = [release, ofOrder('open', 3, PAID)].map(toDecision);
    const frequencies = frequenciesOf(both);
    const knowledge = knowledgeOf(SNAPSHOT);
    const { all } = candidatesOf(both, { ...SNAPSHOT, event: EVENT, frequencies, knowledge });
    const first = all.find(({ decision }) => decision.decisionId === 'release');
    const labels = [0.74, 0.75].map((share) => first && labelOf(first, share, 0.03, all));
    expect(labels).toEqual(['guessed', 'matched']);
  });

  it('Holds beside one whose action is known to lead to such events half as often', () => {
    const known = (compatibility: number) => ({
      ...SNAPSHOT,
      pairs: [pair('release', { compatibility }), pair('refund', { compatibility: 0 })],
    });
    const both = [release, { ...ofOrder('refund', 1), metadata: { reference: 'ORD-7F31' } }];
    expect(labelIn(both, 'release', known(0.6))).toBe('guessed');
    expect(labelIn(both, 'release', known(0.8))).toBe('matched');
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

  it('Is none where another that acts shares the customer and may be about the same', () => {
    expect(labelIn([only], 'release')).toBe('matched');
    expect(labelIn([only, ofCustomer('upgrade')], 'release')).toBe('guessed');
  });

  it('Holds where the other only reads, or names another transaction', () => {
    expect(labelIn([only, ofCustomer('get_profile')], 'release')).toBe('matched');
    const other = ofCustomer('upgrade', { order_id: 'ORD-8A22' });
    expect(labelIn([only, other], 'release')).toBe('matched');
  });
});

describe('A delay', () => {
  const lags = { mean: Math.log(2), sd: 0.4, count: 10 };

  it('Makes no match where nearly all known causes are sooner', () => {
    const old = ofOrder('release', 700, PAID);
    expect(labelIn([old], 'release')).toBe('matched');
    const known = { ...SNAPSHOT, pairs: [pair('release', { lags })] };
    expect(labelIn([old], 'release', known)).toBe('guessed');
    expect(labelIn([ofOrder('release', 3, PAID)], 'release', known)).toBe('matched');
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
      for (const candidate of all) {
        if (labelOf(candidate, 0.9, 0.03, all) === 'guessed') continue;
        matched += 1;
        for (const left of all) {
          const fewer = all.filter((one) => one === candidate || one !== left);
          expect(labelOf(candidate, 0.9, 0.03, fewer)).toBe('matched');
        }
        expect(labelOf(candidate, 0.49, 0.03, all)).toBe('guessed');
        expect(labelOf(candidate, 0.9, 0.21, all)).toBe('guessed');
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
