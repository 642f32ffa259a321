import { learnSnapshot } from '@decision-ledger/attribution/learning';
import type {
  EventObservation,
  Identified,
  LearningInput,
  ReviewedChoice,
} from '@decision-ledger/attribution/snapshot';
import { DEFAULT_ATTRIBUTION } from '@decision-ledger/contract/attribution';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { priorSnapshot } from './support/choices.js';

const TODAY = 20_000;

function learn(input: Partial<LearningInput>) {
  return learnSnapshot({
    settings: DEFAULT_ATTRIBUTION,
    choices: [],
    observations: [],
    today: TODAY,
    ...input,
  });
}

function review(
  cause: 'refund' | 'get' | null,
  details: Partial<ReviewedChoice> = {},
): ReviewedChoice {
  const candidates = (['refund', 'get'] as const).map((action) => ({
    features: { base: 1, time: 0.5, ledger: -5, identifier_exact: 8, latest_holder: 1 },
    agent_id: `agent-${action}`,
    action_type: action,
    hours: 5,
    verdict: action === cause ? ('cause' as const) : ('not_cause' as const),
  }));
  const none = cause === null ? 'cause' : 'not_cause';
  return {
    kind: 'review',
    event_type: 'paid',
    day: TODAY,
    weight: 1,
    candidates,
    none,
    ...details,
  };
}

const repeated = (count: number, choice: ReviewedChoice): ReviewedChoice[] =>
  Array.from({ length: count }, () => choice);

const identified: Identified = {
  decision_id: 'd',
  action_type: 'erstatten',
  log_hours: Math.log(5),
  amount: 'none',
  contrast: 'holders',
  among: [
    ['erstatten', 1],
    ['nachsehen', 3],
  ],
};

const observed: EventObservation = { event_type: 'paid', keys: [[7, 1, 70]], identified };

describe('Events whose cause is plain', () => {
  it('Teach which actions lead to which events, in any language', () => {
    const { pairs } = learn({ observations: Array.from({ length: 30 }, () => observed) });
    const compatibilityOf = (action: string) =>
      pairs.find(({ action_type }) => action_type === action)?.compatibility ?? 0;
    // 30 causes where 7.5 were expected by chance, and none where 22.5 were.
    expect(compatibilityOf('erstatten')).toBeCloseTo(Math.log(34 / 11.5), 9);
    expect(compatibilityOf('nachsehen')).toBeCloseTo(Math.log(4 / 26.5), 9);
  });

  it('Teach less of actions where several steps usually name the transaction', () => {
    const single: EventObservation = {
      ...observed,
      transaction: 1,
      identified: { ...identified, contrast: 'nearby', amount: 'equal' },
    };
    const several: EventObservation = { ...observed, transaction: 0.7, identified: null };
    const ratioIn = (observations: EventObservation[]) => {
      const { pairs } = learn({ observations });
      const pair = pairs.find(({ action_type }) => action_type === 'erstatten');
      return Math.exp(pair?.compatibility ?? 0);
    };
    const singles = Array.from({ length: 8 }, () => single);
    // Each counts a quarter, of which it was expected a quarter.
    expect(ratioIn(singles)).toBeCloseTo((2 + 4) / (0.5 + 4), 9);
    // Of sixteen such events, one alone names eight: half of that.
    const half = [...singles, ...Array.from({ length: 8 }, () => several)];
    expect(ratioIn(half)).toBeCloseTo((1 + 4) / (0.25 + 4), 9);
  });

  it('Teach how late the money comes', () => {
    const { pairs } = learn({ observations: Array.from({ length: 30 }, () => observed) });
    const pair = pairs.find(({ action_type }) => action_type === 'erstatten');
    expect(pair?.lags.mean).toBeCloseTo(Math.log(5), 9);
    expect(pair?.lags.count).toBeCloseTo(30, 9);
  });

  it('Leave the weights at their priors', () => {
    expect(learn({ observations: [observed] }).weights).toEqual(priorSnapshot().weights);
  });
});

describe('Reviews', () => {
  it('Move weights little one by one, and more together', () => {
    const base = (count: number) =>
      learn({
        choices: Array.from({ length: count }, (_, at) =>
          review(null, { event_type: `type ${at}` }),
        ),
      }).weights.base;
    const prior = priorSnapshot().weights.base;
    expect(prior - base(1)).toBeGreaterThan(0);
    expect(prior - base(1)).toBeLessThan(1.5);
    expect(base(20)).toBeLessThan(base(1));
  });

  it('Of links that people made never teach the level of none', () => {
    const choices = Array.from({ length: 40 }, () =>
      review('refund', { kind: 'manual', none: 'unknown' }),
    );
    const { weights, unrecorded, events } = learn({ choices });
    expect(weights.base).toBeCloseTo(priorSnapshot().weights.base, 9);
    expect(unrecorded).toBe(priorSnapshot().unrecorded);
    expect(events.map(({ log_odds }) => log_odds)).toEqual([0]);
  });

  it('Teach the level of a type, also beside thirty audits', () => {
    const levelOf = (choices: readonly ReviewedChoice[]) =>
      learn({ choices }).events.find(({ event_type }) => event_type === 'fee')?.log_odds ?? 0;
    const audits = repeated(40, review('refund', { kind: 'audit' }));
    const reviews = repeated(10, review(null, { event_type: 'fee' }));
    expect(levelOf([...audits, ...reviews])).toBeLessThan(levelOf(audits) - 1);
  });

  it('Calibrate only until there are thirty audits', () => {
    const confirmed = repeated(40, review('refund'));
    const baseAfter = (audits: number) => {
      const none = repeated(audits, review(null, { kind: 'audit', event_type: 'fee' }));
      return learn({ choices: [...confirmed, ...none] }).weights.base;
    };
    // One more audit of thirty moves little; that confirmed links no longer calibrate moves more.
    expect(baseAfter(29) - baseAfter(30)).toBeGreaterThan(3 * (baseAfter(28) - baseAfter(29)));
  });

  it('Of events that share no identifier move their level alone', () => {
    const [candidate] = review(null).candidates;
    if (candidate === undefined) throw new Error('no candidate');
    const candidates = [{ ...candidate, features: { base: 1, apart: 1, time: 0.5, crowd: 0 } }];
    const choices = [
      ...repeated(20, review(null, { candidates })),
      ...repeated(20, review('refund')),
    ];
    const { events, weights } = learn({ choices });
    expect(events[0]?.log_odds_apart).toBeLessThan((events[0]?.log_odds ?? 0) - 1);
    expect(weights.apart).toBeLessThan(0);
  });

  it('Fade by half in ninety days', () => {
    const compatibility = (day: number) =>
      learn({ choices: Array.from({ length: 10 }, () => review('refund', { day })) }).pairs.find(
        ({ action_type }) => action_type === 'refund',
      )?.lags.count ?? 0;
    expect(compatibility(TODAY - 90)).toBeCloseTo(compatibility(TODAY) / 2, 9);
  });

  it('Teach the same in any order', () => {
    const some = fc.array(
      fc.record({
        cause: fc.constantFrom('refund' as const, 'get' as const, null),
        kind: fc.constantFrom('review' as const, 'audit' as const),
      }),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(some, (all) => {
        const choices = all.map(({ cause, kind }) => review(cause, { kind }));
        const [one, other] = [learn({ choices }), learn({ choices: [...choices].reverse() })];
        for (const [name, weight] of Object.entries(one.weights)) {
          expect(Reflect.get(other.weights, name)).toBeCloseTo(weight, 6);
        }
      }),
      { numRuns: 25 },
    );
  });

  it('That say only that one candidate is not the cause lower it', () => {
    const candidates = review('get').candidates.map((one) => ({
      ...one,
      verdict: one.action_type === 'refund' ? ('not_cause' as const) : ('unknown' as const),
      features: { ...one.features, ...(one.action_type === 'refund' && { amount_equal: 5 }) },
    }));
    const rejected = review('get', { candidates, none: 'unknown' });
    const { weights } = learn({ choices: Array.from({ length: 20 }, () => rejected) });
    expect(weights.amount_equal).toBeLessThan(priorSnapshot().weights.amount_equal);
  });

  it('Keep a group removed that the settings remove', () => {
    const weights = { ...DEFAULT_ATTRIBUTION.weights, metadata: 0 };
    const settings = { ...DEFAULT_ATTRIBUTION, weights };
    const { weights: learned } = learn({ settings, choices: [review('refund'), review(null)] });
    expect(learned.identifier_exact).toBeCloseTo(0, 9);
    expect(learned.latest_holder).toBeCloseTo(0, 9);
  });
});
