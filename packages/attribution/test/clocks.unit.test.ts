import { learnSnapshot } from '@decision-ledger/attribution/learning';
import { scoreEvent } from '@decision-ledger/attribution/score';
import type { EventObservation, ModelSnapshot } from '@decision-ledger/attribution/snapshot';
import { DEFAULT_ATTRIBUTION } from '@decision-ledger/contract/attribution';
import { describe, expect, it } from 'vitest';
import { learnClocks } from '#attribution/clocks';
import { seeded } from '../../proof/test/support/seeded.js';
import { frequenciesOf, NOON, priorSnapshot, toDecision, toEvent } from './support/choices.js';

const read = (minutes: number, agent = 'till', event_type = 'refund'): EventObservation => ({
  event_type,
  keys: [],
  identified: null,
  clock: [agent, minutes],
});

/** So many events that follow their decisions by up to an hour, on a clock so many minutes away. */
const following = (count: number, away: number): EventObservation[] =>
  Array.from({ length: count }, (_, at) => read(away + Math.round((57 * at) / count) + 2));

const minutesOf = (observations: readonly EventObservation[]): readonly number[] =>
  learnClocks(observations).map(({ minutes }) => minutes);

describe('The clock of an agent and of its events', () => {
  it.for([-60, -300, -210, -570, -720])('Is found at %d minutes', (away) => {
    expect(minutesOf(following(40, away))).toEqual([away]);
  });

  it('Takes twenty events', () => {
    expect(minutesOf(following(19, -300))).toEqual([]);
    expect(minutesOf(following(20, -300))).toEqual([-300]);
  });

  it('Is one for each agent and event type', () => {
    const others = Array.from({ length: 40 }, (_, at) => read(at, 'desk'));
    const fees = Array.from({ length: 40 }, (_, at) => read(at, 'till', 'fee'));
    expect(learnClocks([...following(40, -300), ...others, ...fees])).toEqual([
      { agent_id: 'till', event_type: 'refund', minutes: -300 },
    ]);
  });

  it('Does not depend on the order of the events, and not on a few odd ones', () => {
    const all = [...following(40, -300), read(-1300), read(800)];
    expect(minutesOf(all)).toEqual([-300]);
    expect(minutesOf([...all].reverse())).toEqual([-300]);
  });

  it('Holds through the hour of summer time', () => {
    expect(minutesOf([...following(20, -300), ...following(60, -240)])).toEqual([-300]);
  });

  it('Is right where money comes after its decisions, however late', () => {
    expect(minutesOf(following(40, 0))).toEqual([]);
    expect(minutesOf(following(40, 120))).toEqual([]);
    expect(minutesOf(following(40, -15))).toEqual([]);
  });

  it.for([
    ['at once', 20],
    ['within two hours', 120],
    ['within hours', 240],
    ['within a day', 1200],
  ] as const)('Is not doubted because an agent follows the money %s', ([, most]) => {
    const random = seeded(7);
    const after = Array.from({ length: 200 }, () =>
      read(-1 - Math.round(-Math.log(1 - random() * 0.999) * (most / 3))),
    );
    expect(minutesOf(after)).toEqual([]);
  });

  it('Is not one where the ends of the earth are too near', () => {
    expect(minutesOf(following(40, -900))).toEqual([]);
  });
});

describe('A decision on another clock', () => {
  const decision = toDecision({
    id: 'a',
    agent: 'till',
    hours: -4.75,
    inputs: { receipt: 'R-5512' },
  });
  const event = toEvent({ receipt: 'R-5512' });
  const clocked: ModelSnapshot = {
    ...priorSnapshot(),
    clocks: [{ agent_id: 'till', event_type: 'payment', minutes: -300 }],
  };
  const scoreOf = (snapshot: ModelSnapshot, some = [decision]) =>
    scoreEvent(event, some, frequenciesOf(some), snapshot, 1);

  it('Is no candidate until the clock is known, and then is dated by it', () => {
    expect(scoreOf(priorSnapshot()).candidates).toEqual([]);
    const [candidate] = scoreOf(clocked).candidates;
    expect(candidate?.hours).toBeCloseTo(0.25, 9);
    expect(candidate?.isSuggested).toBe(true);
  });

  it('Is read the same before and after', () => {
    const readings = [priorSnapshot(), clocked].map((one) => scoreOf(one).observation.clock);
    expect(readings).toEqual([
      ['till', -285],
      ['till', -285],
    ]);
  });

  it('Is not read where two name the transaction, where a customer is shared, and of a day', () => {
    const second = toDecision({ id: 'b', hours: 2, inputs: { receipt: 'R-5512' } });
    expect(scoreOf(priorSnapshot(), [decision, second]).observation.clock).toBeUndefined();
    const customer = toDecision({ id: 'a', inputs: { customer_id: 'C-88123' } });
    const paid = toEvent({ customer_id: 'C-88123' });
    const frequencies = frequenciesOf([customer]);
    const { observation } = scoreEvent(paid, [customer], frequencies, priorSnapshot(), 1);
    expect(observation.clock).toBeUndefined();
    const day = toEvent({ receipt: 'R-5512' }, '49.90', NOON - (NOON % 86_400_000));
    const ofDay = scoreEvent(day, [decision], frequenciesOf([decision]), priorSnapshot(), 1);
    expect(ofDay.observation.clock).toBeUndefined();
  });

  it('Teaches the model', () => {
    const settings = DEFAULT_ATTRIBUTION;
    const observations = following(30, -300);
    const { clocks } = learnSnapshot({ settings, choices: [], observations, today: 20_000 });
    expect(clocks).toHaveLength(1);
  });
});
