import { type AlertNotice, AlertNotice as NoticeSchema } from '@decision-ledger/contract/alert';
import fc from 'fast-check';
import { Check } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import {
  type AlertState,
  type Observation,
  observe,
  WELL,
} from '#server/domains/delivery/alerts/rules/alert-state';

const THRESHOLD = 300;

/** What is told, observation by observation. */
function tell(observations: readonly Observation[], threshold = THRESHOLD): AlertNotice[][] {
  let state: AlertState = WELL;
  return observations.map((observation) => {
    const step = observe(state, observation, threshold);
    state = step.state;
    return [...step.notices];
  });
}

const types = (...observations: [oldest: number, deadLetters: number][]) =>
  tell(
    observations.map(([oldestWaitingSeconds, deadLetters]) => ({
      oldestWaitingSeconds,
      deadLetters,
    })),
  ).map((notices) => notices.map(({ type }) => type.replace('jobs.', '')).join(' '));

describe('alerts', () => {
  it('say nothing while all is well', () => {
    expect(types([0, 0], [299.9, 0], [0, 0])).toEqual(['', '', '']);
  });

  it('tell a backlog once, from the threshold on', () => {
    expect(types([300, 0], [900, 0], [301, 0])).toEqual(['backlog', '', '']);
  });

  it('tell recovery once, when the wait is below half of the threshold', () => {
    expect(types([300, 0], [150, 0], [149.9, 0], [0, 0])).toEqual(['backlog', '', 'recovered', '']);
  });

  it('do not flap when the wait crosses the threshold again and again', () => {
    expect(types([300, 0], [200, 0], [310, 0], [160, 0], [300, 0])).toEqual([
      'backlog',
      '',
      '',
      '',
      '',
    ]);
  });

  it('tell dead letters, and each further one', () => {
    expect(types([0, 1], [0, 1], [0, 3], [0, 3], [0, 0])).toEqual([
      'dead_letters',
      '',
      'dead_letters',
      '',
      'recovered',
    ]);
  });

  it('tell a dead letter that is new though others went away', () => {
    expect(types([0, 5], [0, 3], [0, 4])).toEqual(['dead_letters', '', 'dead_letters']);
  });

  it('tell recovery only when both are well', () => {
    expect(types([300, 1], [0, 1], [300, 0], [0, 0])).toEqual([
      'backlog dead_letters',
      '',
      '',
      'recovered',
    ]);
  });

  it('begin anew after recovery', () => {
    expect(types([300, 2], [0, 0], [300, 2])).toEqual([
      'backlog dead_letters',
      'recovered',
      'backlog dead_letters',
    ]);
  });

  it('say how many dead letters there are, and how many were told in all', () => {
    const letters = (deadLetters: number) => ({ oldestWaitingSeconds: 0, deadLetters });
    expect(tell([letters(5), letters(3), letters(5)]).flat()).toEqual([
      { type: 'jobs.dead_letters', data: { dead_letters: 5, told: 5 } },
      { type: 'jobs.dead_letters', data: { dead_letters: 5, told: 7 } },
    ]);
  });
});

const observations = fc.array(
  fc.record({
    oldestWaitingSeconds: fc.oneof(
      fc.integer({ min: 0, max: 700 }),
      fc.constantFrom(0, 149, 150, 299, 300),
    ),
    deadLetters: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 4 })),
  }),
  { maxLength: 60 },
);

/** Notices from one recovery to the next. */
function episodes(notices: readonly AlertNotice[]): AlertNotice[][] {
  const all: AlertNotice[][] = [[]];
  for (const notice of notices) {
    all.at(-1)?.push(notice);
    if (notice.type === 'jobs.recovered') all.push([]);
  }
  return all.filter(({ length }) => length > 0);
}

describe('whatever is observed', () => {
  it('no notice is told twice in a row, and a backlog once in an episode', () => {
    fc.assert(
      fc.property(observations, (seen) => {
        for (const episode of episodes(tell(seen).flat())) {
          const texts = episode.map((notice) => JSON.stringify(notice));
          expect(new Set(texts).size).toBe(texts.length);
          const backlogs = episode.filter(({ type }) => type === 'jobs.backlog');
          expect(backlogs.length).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  it('every episode ends with one recovery, as soon as both are well', () => {
    fc.assert(
      fc.property(observations, (seen) => {
        const well = { oldestWaitingSeconds: 0, deadLetters: 0 };
        for (const episode of episodes(tell([...seen, well]).flat())) {
          expect(episode.length).toBeGreaterThan(1);
          const recoveries = episode.filter(({ type }) => type === 'jobs.recovered');
          expect(recoveries).toEqual([episode.at(-1)]);
        }
      }),
    );
  });

  it('nothing that is wrong stays untold', () => {
    fc.assert(
      fc.property(observations, (seen) => {
        let state: AlertState = WELL;
        for (const observation of seen) {
          const { deadLetters } = state;
          const step = observe(state, observation, THRESHOLD);
          state = step.state;
          const told = step.notices.map(({ type }) => type);
          if (observation.oldestWaitingSeconds >= THRESHOLD) expect(state.backlogTold).toBe(true);
          expect(told.includes('jobs.dead_letters')).toBe(observation.deadLetters > deadLetters);
          for (const notice of step.notices) expect(Check(NoticeSchema, notice)).toBe(true);
        }
      }),
    );
  });
});
