import { scoreEvent } from '@decision-ledger/attribution/score';
import { DEFAULT_ATTRIBUTION } from '@decision-ledger/contract/attribution';
import { FEATURES } from '@decision-ledger/contract/attribution-signals';
import type { JsonValue } from '@decision-ledger/proof/gate';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuMs } from '../../proof/test/support/cpu-time.js';
import {
  frequenciesOf,
  NOON,
  priorSnapshot,
  type SomeDecision,
  toDecision,
  toEvent,
} from './support/choices.js';

const SNAPSHOT = priorSnapshot();
const EVENT = { order_id: 'ORD-7F31', customer_id: 'cus_1', city: 'Berlin' };

function score(decisions: readonly SomeDecision[], event = toEvent(EVENT), left = 1) {
  const compared = decisions.map(toDecision);
  return scoreEvent(event, compared, frequenciesOf(compared), SNAPSHOT, left);
}

const shareOf = (scored: ReturnType<typeof score>, id: string): number =>
  scored.candidates.find(({ decisionId }) => decisionId === id)?.share ?? 0;

const someDecisions: fc.Arbitrary<SomeDecision[]> = fc
  .array(
    fc.record({
      action: fc.constantFrom('get_order', 'refund', 'K7'),
      hours: fc.double({ min: 0.1, max: 9000, noNaN: true }),
      metadata: fc.record(
        {
          order_id: fc.constantFrom('ORD-7F31', 'ord 7f31', 'ORD-9'),
          customer_id: fc.constantFrom('cus_1', 'cus_2'),
          city: fc.constantFrom('Berlin', 'Rome'),
        },
        { requiredKeys: [] },
      ),
      outputs: fc.record({ amount: fc.constantFrom(49.9, 4990, 12, 99.8) }, { requiredKeys: [] }),
    }),
    { maxLength: 25 },
  )
  .map((all) => all.map((one, at) => ({ ...one, id: `d${at}` })));

describe('Shares', () => {
  it('And none sum to what is left', () => {
    fc.assert(
      fc.property(someDecisions, fc.constantFrom(0, 0.25, 1), (decisions, left) => {
        const { candidates, none } = score(decisions, toEvent(EVENT), left);
        const total = candidates.reduce((sum, { share }) => sum + share, none);
        expect(total).toBeCloseTo(left, 9);
        expect(Math.min(none, ...candidates.map(({ share }) => share))).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it('Follow from the evidence shown: it sums to the log-odds against none', () => {
    fc.assert(
      fc.property(someDecisions, (decisions) => {
        const { candidates, none } = score(decisions);
        for (const { share, evidence } of candidates) {
          if (share < 1e-3 || none < 1e-3) continue;
          const logOdds = Object.values(evidence).reduce((sum, value) => sum + value, 0);
          expect(Math.log(share / none)).toBeCloseTo(logOdds, 1);
        }
      }),
    );
  });

  it('Can be recomputed from a stored snapshot', () => {
    fc.assert(
      fc.property(someDecisions, (decisions) => {
        const compared = decisions.map(toDecision);
        const frequencies = frequenciesOf(compared);
        const stored = JSON.parse(JSON.stringify(SNAPSHOT));
        const again = scoreEvent(toEvent(EVENT), compared, frequencies, stored, 1);
        expect(again).toEqual(scoreEvent(toEvent(EVENT), compared, frequencies, SNAPSHOT, 1));
      }),
    );
  });

  it('Do not depend on the order of decisions at different times', () => {
    fc.assert(
      fc.property(someDecisions, (decisions) => {
        const inTime = decisions.map((one, at) => ({ ...one, hours: at + 1 }));
        const [one, other] = [score(inTime), score([...inTime].reverse())];
        for (const { decisionId, share } of one.candidates) {
          expect(shareOf(other, decisionId)).toBeCloseTo(share, 5);
        }
      }),
    );
  });

  it('Of a decision never fall because it holds an equal rare identifier as well', () => {
    fc.assert(
      fc.property(someDecisions, (decisions) => {
        const bare = decisions.map(({ metadata: _, ...one }) => one);
        const own = { id: 'own', hours: 20, metadata: {} };
        const before = score([...bare, own]);
        const after = score([...bare, { ...own, metadata: { order_id: 'ORD-7F31' } }]);
        expect(shareOf(after, 'own')).toBeGreaterThanOrEqual(shareOf(before, 'own'));
      }),
    );
  });
});

describe('The level of an event type', () => {
  const level = {
    event_type: 'payment',
    log_odds: 3,
    log_odds_apart: -3,
    causeless: 0,
    kind: null,
    lags: { mean: 0, sd: 1, count: 0 },
  };
  const snapshot = { ...SNAPSHOT, events: [level] };
  const featuresOf = (metadata: SomeDecision['metadata']) => {
    const compared = [toDecision({ id: 'one', ...(metadata !== undefined && { metadata }) })];
    const frequencies = frequenciesOf(compared);
    return scoreEvent(toEvent(EVENT), compared, frequencies, snapshot, 1).candidates[0]?.features;
  };

  it('Is that of events with a shared identifier, where a decision shares one', () => {
    expect(featuresOf({ order_id: 'ORD-7F31' })).toMatchObject({ event_type: 3 });
    expect(featuresOf({ order_id: 'ORD-7F31' })).not.toHaveProperty('apart');
  });

  it('Is that of events apart, where none does', () => {
    expect(featuresOf(undefined)).toMatchObject({ event_type: -3, apart: 1 });
  });
});

describe('An identifier', () => {
  it.for([0.5, 24, 24 * 7, 24 * 30])(
    'That one decision alone holds, exactly equal, matches after %d hours',
    (hours) => {
      const scored = score([
        { id: 'cause', hours, metadata: { order_id: 'ORD-7F31' } },
        ...Array.from({ length: 20 }, (_, at) => ({ id: `d${at}`, hours: 1 + at / 10 })),
      ]);
      const [first] = scored.candidates;
      expect(first).toMatchObject({ decisionId: 'cause', label: 'matched', isSuggested: true });
      expect(first?.share).toBeGreaterThan(0.7);
    },
  );

  it.for(['ord-07f31', 'ORD 7F31', 'ORD/7f31'])('Spelled %j is the same', (order) => {
    const [first] = score([{ id: 'cause', metadata: { order_ref: order } }]).candidates;
    expect(first).toMatchObject({ decisionId: 'cause', label: 'matched' });
    expect(first?.evidence.contradiction).toBeUndefined();
  });

  it('In a text weighs less, the more identifiers the text states', () => {
    const claims = (text: string) =>
      score([{ id: 'd', inputs: { text } }]).candidates[0]?.features.identifier_text ?? 0;
    const [alone, among] = [claims('About ORD-7F31'), claims('About ORD-7F31, A-1111 and B-2222')];
    expect(alone).toBeGreaterThan(0);
    expect(among).toBeCloseTo(alone / 3, 9);
  });

  it('With another value under the same key contradicts', () => {
    const [first] = score([{ id: 'd', metadata: { order_id: 'ORD-9' } }]).candidates;
    expect(first?.features.contradiction).toBeUndefined();
    const [other] = score([{ id: 'd', metadata: { order_id: 'ORD-8A31' } }]).candidates;
    expect(other?.features.contradiction).toBe(1);
  });

  it('Of a customer does not make a match', () => {
    const decisions = Array.from({ length: 3 }, (_, at) => ({
      id: `d${at}`,
      hours: 1 + at,
      metadata: { customer_id: 'cus_1' },
    }));
    const labels = score(decisions).candidates.map(({ label }) => label);
    expect(labels).toEqual(['guessed', 'guessed', 'guessed']);
  });

  it('Of a customer is a guess, which is suggested only if a recorded cause is likely enough', () => {
    const decisions = [1, 2, 3].map((hours) => ({
      id: `d${hours}`,
      hours,
      metadata: { customer_id: 'cus_1' },
    }));
    const compare = (suggest_recorded: number) => {
      const snapshot = priorSnapshot({ ...DEFAULT_ATTRIBUTION, suggest_recorded });
      const known = decisions.map(toDecision);
      return scoreEvent(
        toEvent({ customer_id: 'cus_1' }),
        known,
        frequenciesOf(known),
        snapshot,
        1,
      );
    };
    const recorded = 1 - compare(0).none;
    const isSuggested = (least: number) => compare(least).candidates[0]?.isSuggested;
    expect([recorded - 0.01, recorded + 0.01].map(isSuggested)).toEqual([true, false]);
  });
});

describe('An amount', () => {
  const fitOf = (outputs: JsonValue, amount = '49.90') => {
    const [first] = score([{ id: 'd', outputs }], toEvent({}, amount)).candidates;
    return Object.keys(first?.features ?? {}).filter((name) => name.startsWith('amount_'));
  };

  it.for<[JsonValue, string, string[]]>([
    [{ amount: 49.9 }, '49.90', ['amount_equal']],
    [{ amount: 0.1 + 0.2 }, '0.30', ['amount_equal']],
    [{ amount: 4990 }, '49.90', ['amount_minor']],
    [{ amount_cents: 4990 }, '-49.90', ['amount_equal']],
    [{ amount: 55.2, currency: 'USD' }, '49.90', ['amount_converted']],
    [{ amount: 598.8 }, '49.90', ['amount_part']],
    [{ fare: '40.00 EUR', extra_fee: '9.90 EUR' }, '49.90', ['amount_sum']],
    [{ price: '64.17 EUR', discount: '14.27 EUR' }, '49.90', ['amount_sum']],
    [{ amount: 12 }, '49.90', ['amount_other']],
    [{ note: 'none' }, '49.90', []],
  ])('%j fits %s as %j', ([outputs, amount, expected]) => {
    expect(fitOf(outputs, amount)).toEqual(expected);
  });

  it('Of money says the same beside other numbers, and less beside other money', () => {
    const bitsOf = (outputs: JsonValue) => {
      const [first] = score([{ id: 'd', outputs }], toEvent({})).candidates;
      return first?.features.amount_equal ?? 0;
    };
    const sizes = { width: 31, height: 44, depth: 17 };
    expect(bitsOf({ amount: 49.9, ...sizes })).toBe(bitsOf({ amount: 49.9 }));
    expect(bitsOf({ amount: 49.9, fee: 2, tax: 3, total: 9 })).toBeLessThan(
      bitsOf({ amount: 49.9 }),
    );
  });

  it('Of a decision beyond the nearest weighs against all of ten days', () => {
    const near = Array.from({ length: 50 }, (_, at) => ({ id: `d${at}`, hours: 1 + at / 50 }));
    const stating = { id: 'stating', hours: 48, outputs: { amount: 49.9 } };
    const crowds = score([...near, stating], toEvent({})).candidates.map(
      ({ decisionId, features }) => [decisionId, features.crowd ?? 0] as const,
    );
    const crowdOf = new Map(crowds);
    // 50 an hour would be 12,000 in ten days: all of the ledger.
    expect(crowdOf.get('stating')).toBeCloseTo(-Math.log(1001), 9);
    expect(crowdOf.get('d0')).toBeGreaterThan(-Math.log(1001));
  });

  it('That few decisions state is rather of the latest, where they share nothing else', () => {
    const latestOf = (count: number, metadata: JsonValue) => {
      const steps = Array.from({ length: count }, (_, at) => ({
        id: `d${at}`,
        hours: 40 - 2 * at,
        metadata,
        outputs: { amount: 49.9 },
      }));
      return score(steps, toEvent({ order_id: 'ORD-7F31' }))
        .candidates.filter(({ features }) => features.latest_holder === 1)
        .map(({ decisionId }) => decisionId);
    };
    expect(latestOf(8, {})).toEqual(['d7']);
    expect(latestOf(9, {})).toEqual([]);
    expect(latestOf(9, { order_id: 'ORD-7F31' })).toEqual(['d8']);
  });

  it('That one decision alone states is a match if it shares the customer too', () => {
    const others = Array.from({ length: 9 }, (_, at) => ({ id: `d${at}`, hours: 1 + at }));
    const labelOf = (metadata: Record<string, string>) => {
      const decisions = [{ id: 'cause', metadata, outputs: { amount: 49.9 } }, ...others];
      const [first] = score(decisions, toEvent({ customer_id: 'C-55181' })).candidates;
      expect(first).toMatchObject({ decisionId: 'cause', isSuggested: true });
      return first?.label;
    };
    expect(labelOf({ customer_id: 'C-55181' })).toBe('matched');
    expect(labelOf({})).toBe('guessed');
  });
});

describe('Time', () => {
  it('Alone suggests nothing, unless the settings allow it', () => {
    const decisions = [toDecision({ id: 'd', hours: 0.1 })];
    const suggests = (suggest_from_timing: boolean) => {
      const least = { suggest_share: 0.01, suggest_recorded: 0 };
      const settings = { ...DEFAULT_ATTRIBUTION, ...least, suggest_from_timing };
      const snapshot = priorSnapshot(settings);
      const scored = scoreEvent(toEvent({}), decisions, frequenciesOf(decisions), snapshot, 1);
      return scored.candidates[0]?.isSuggested;
    };
    expect([suggests(false), suggests(true)]).toEqual([false, true]);
  });

  it('At midnight is a day, so that a decision of that day may be the cause', () => {
    const midnight = Date.UTC(2026, 2, 10);
    const [first] = score([{ id: 'd', hours: 0 }], toEvent({}, '1.00', midnight)).candidates;
    expect(first?.decisionId).toBe('d');
    expect(score([{ id: 'd', hours: 0 }], toEvent({}, '1.00', midnight + 1)).candidates).toEqual(
      [],
    );
    expect(NOON).toBeGreaterThan(midnight);
  });
});

describe('The settings', () => {
  it('Remove a group of features whose weight is 0', () => {
    const weights = { ...DEFAULT_ATTRIBUTION.weights, metadata: 0 };
    const snapshot = priorSnapshot({ ...DEFAULT_ATTRIBUTION, weights });
    for (const { name, group } of FEATURES) {
      if (group === 'metadata') expect(snapshot.weights[name]).toBe(0);
      else expect(snapshot.weights[name]).toBe(SNAPSHOT.weights[name]);
    }
  });
});

describe('The time of a score', () => {
  it('Is bounded for the most candidates with the most values', async () => {
    const values = Array.from({ length: 400 }, (_, at) => `ORD-${1000 + at}`);
    const amounts = Array.from({ length: 100 }, (_, at) => ({ amount: 10.01 + at }));
    const decisions = Array.from({ length: 250 }, (_, at) => ({
      id: `d${at}`,
      hours: 1 + at,
      metadata: { orders: values, amounts, text: values.join(' ') },
    }));
    const compared = decisions.map(toDecision);
    const event = toEvent({ orders: values, text: values.join(' ') });
    const frequencies = frequenciesOf(compared);
    let scored = 0;
    const spent = await cpuMs(() => {
      scored = scoreEvent(event, compared, frequencies, SNAPSHOT, 1).candidates.length;
    });
    expect(spent).toBeLessThan(10_000);
    expect(scored).toBe(250);
  });
});

describe('The label of a match', () => {
  const labelOf = (decisions: readonly SomeDecision[]) => score(decisions).candidates[0]?.label;
  const holder = (id: string, action: string, hours: number) => ({
    id,
    action,
    hours,
    metadata: { order_id: 'ORD-7F31' },
  });

  it('Is not given where several acting decisions hold the identifier and no amount says which', () => {
    const steps = [holder('a', 'approve', 900), holder('b', 'release', 1)];
    expect(labelOf([holder('b', 'release', 1)])).toBe('matched');
    expect(labelOf(steps)).toBe('guessed');
    const stated = { ...holder('b', 'release', 1), outputs: { amount: 49.9 } };
    expect(labelOf([holder('a', 'approve', 900), stated])).toBe('matched');
  });

  it('Is not given to an action whose name only reads, which suggests nothing by itself', () => {
    const [first] = score([holder('a', 'get_order', 1)]).candidates;
    expect(first).toMatchObject({ decisionId: 'a', label: 'guessed', isSuggested: false });
    const [acting] = score([holder('a', 'get_order', 1), holder('b', 'refund', 2)]).candidates;
    expect(acting).toMatchObject({ decisionId: 'b', isSuggested: true });
  });
});
