import type { Clock } from '@decision-ledger/contract/source-profiles';
import { expect, test } from 'vitest';
import { FARTHEST_MS, spanOf } from '#server/domains/record/movements/rules/clock';

const NOON = '2026-03-10T12:00:00Z';

test.each<[string, Clock | null, string, readonly [string, string]]>([
  ['no clock', null, NOON, [NOON, NOON]],
  ['an empty one', { whole_days: false }, NOON, [NOON, NOON]],
  [
    'a zone',
    { whole_days: false, time_zone: 'Europe/Berlin' },
    NOON,
    ['2026-03-10T11:00:00Z', '2026-03-10T11:00:00Z'],
  ],
  [
    ...([
      'a zone in summer',
      { whole_days: false, time_zone: 'Europe/Berlin' },
      '2026-07-10T01:00:00Z',
    ] as const),
    ['2026-07-09T23:00:00Z', '2026-07-09T23:00:00Z'],
  ],
  [
    ...([
      'an hour before summer time',
      { whole_days: false, time_zone: 'Europe/Berlin' },
      '2026-03-29T01:30:00Z',
    ] as const),
    ['2026-03-29T00:30:00Z', '2026-03-29T00:30:00Z'],
  ],
  [
    'an offset',
    { whole_days: false, time_zone: '-09:30' },
    NOON,
    ['2026-03-10T21:30:00Z', '2026-03-10T21:30:00Z'],
  ],
  [
    ...(['days of the ledger', { whole_days: true }, '2026-03-10T00:00:00Z'] as const),
    ['2026-03-10T05:00:00Z', '2026-03-11T05:00:00Z'],
  ],
  [
    ...(['days of a zone', { whole_days: true, time_zone: 'Asia/Tokyo' }, NOON] as const),
    ['2026-03-09T15:00:00Z', '2026-03-10T15:00:00Z'],
  ],
  [
    ...([
      'a day of 23 hours',
      { whole_days: true, time_zone: 'Europe/Berlin' },
      '2026-03-29T00:00:00Z',
    ] as const),
    ['2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z'],
  ],
])('By %s, money moved between two times', (_name, clock, recorded, [first, last]) => {
  const at = Date.parse(recorded);
  const { earliest, latest } = spanOf(clock, at, 'America/Lima');
  expect([at + earliest, at + latest]).toEqual([Date.parse(first), Date.parse(last)]);
});

test('No money moved farther from its recorded time than what others are searched within', () => {
  for (const time_zone of [
    '+14:00',
    '-14:00',
    'Pacific/Kiritimati',
    'Etc/GMT+12',
    'Asia/Kolkata',
  ]) {
    for (const whole_days of [true, false]) {
      for (const recorded of ['2026-03-10T00:00:00Z', '2026-03-10T23:59:59.999Z']) {
        const { earliest, latest } = spanOf({ time_zone, whole_days }, Date.parse(recorded), 'UTC');
        expect(Math.max(-earliest, latest)).toBeLessThanOrEqual(FARTHEST_MS);
        expect(earliest).toBeLessThanOrEqual(latest);
      }
    }
  }
});
