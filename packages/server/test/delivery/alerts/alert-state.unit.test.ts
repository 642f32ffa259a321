import { type AlertNotice, AlertNotice as NoticeSchema } from '@decision-ledger/contract/alert';
import fc from 'fast-check';
import { Check } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import {
  type AlertState,
  type Backlog,
  nextAlertState,
  WELL,
} from '#server/domains/delivery/alerts/rules/alert-state';

const THRESHOLD = 300;

/** The notices of each observation. */
function tell(observations: readonly Backlog[], threshold = THRESHOLD): AlertNotice[][] {
  let state: AlertState = WELL;
  return observations.map((observation) => {
    const step = nextAlertState(state, observation, threshold);
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

describe('Alert state', () => {
  it('A healthy queue causes no notice', () => {
    expect(types([0, 0], [299.9, 0], [0, 0])).toEqual(['', '', '']);
  });

  it('A backlog is reported once, from the threshold on', () => {
    expect(types([300, 0], [900, 0], [301, 0])).toEqual(['backlog', '', '']);
  });

  it('Recovery is reported once, when the wait is below half of the threshold', () => {
    expect(types([300, 0], [150, 0], [149.9, 0], [0, 0])).toEqual(['backlog', '', 'recovered', '']);
  });

  it('A wait that oscillates around the threshold is reported once', () => {
    expect(types([300, 0], [200, 0], [310, 0], [160, 0], [300, 0])).toEqual([
      'backlog',
      '',
      '',
      '',
      '',
    ]);
  });

  it('Dead letters are reported, and again when there are more', () => {
    expect(types([0, 1], [0, 1], [0, 3], [0, 3], [0, 0])).toEqual([
      'dead_letters',
      '',
      'dead_letters',
      '',
      'recovered',
    ]);
  });

  it('A new dead letter is reported although others were removed', () => {
    expect(types([0, 5], [0, 3], [0, 4])).toEqual(['dead_letters', '', 'dead_letters']);
  });

  it('Recovery is reported only when both conditions are healthy', () => {
    expect(types([300, 1], [0, 1], [300, 0], [0, 0])).toEqual([
      'backlog dead_letters',
      '',
      '',
      'recovered',
    ]);
  });

  it('Notices start again after recovery', () => {
    expect(types([300, 2], [0, 0], [300, 2])).toEqual([
      'backlog dead_letters',
      'recovered',
      'backlog dead_letters',
    ]);
  });

  it('A notice counts the current dead letters and all reported ones', () => {
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

describe('Arbitrary observations', () => {
  it('No notice repeats in a row, and a backlog is reported once per episode', () => {
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

  it('Every episode ends with one recovery as soon as both conditions are healthy', () => {
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

  it('Every problem is reported', () => {
    fc.assert(
      fc.property(observations, (seen) => {
        let state: AlertState = WELL;
        for (const observation of seen) {
          const { deadLetters } = state;
          const step = nextAlertState(state, observation, THRESHOLD);
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
