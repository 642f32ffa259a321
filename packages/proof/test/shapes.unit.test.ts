import { isTimestamp } from '@decision-ledger/proof/shapes';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

/** Whether JavaScript itself writes that moment so. */
function isWritten(text: string): boolean {
  const date = new Date(text);
  return !Number.isNaN(date.getTime()) && date.toISOString() === text;
}

describe('Timestamps', () => {
  it('Any moment up to the end of the year 9999 is a timestamp as JavaScript writes it', () => {
    const [min, max] = [new Date('0000-01-01T00:00:00.000Z'), new Date('9999-12-31T23:59:59.999Z')];
    expect(isTimestamp(min.toISOString()) && isTimestamp(max.toISOString())).toBe(true);
    fc.assert(
      fc.property(fc.date({ min, max, noInvalidDate: true }), (date) =>
        isTimestamp(date.toISOString()),
      ),
      { seed: 7 },
    );
  });

  it('A date or time that does not exist is not a timestamp', () => {
    const year = fc.oneof(fc.constantFrom(0, 4, 1900, 2000, 2023, 2024), fc.nat(9999));
    const parts = fc.tuple(fc.nat(13), fc.nat(32), fc.nat(25), fc.nat(61), fc.nat(61));
    const two = (value: number) => String(value).padStart(2, '0');
    fc.assert(
      fc.property(year, parts, (y, [month, day, hour, minute, second]) => {
        const date = `${String(y).padStart(4, '0')}-${two(month)}-${two(day)}`;
        const text = `${date}T${two(hour)}:${two(minute)}:${two(second)}.000Z`;
        return isTimestamp(text) === isWritten(text);
      }),
      { numRuns: 5000, seed: 7 },
    );
  });

  it.each([
    '2026-01-09T99:99:99.999Z',
    '2026-02-30T00:00:00.000Z',
    '2026-01-01T24:00:00.000Z',
    '2023-02-29T00:00:00.000Z',
    '1900-02-29T00:00:00.000Z',
    '2026-04-31T00:00:00.000Z',
    '2026-06-30T23:59:60.000Z',
    '+010000-01-01T00:00:00.000Z',
    '2026-01-01T00:00:00.000Z\n',
    '2026-01-01T00:00:00Z',
  ])('The text %j is not a timestamp', (text) => {
    expect(isTimestamp(text)).toBe(false);
  });

  it.each(['2024-02-29T00:00:00.000Z', '2000-02-29T23:59:59.999Z', '9999-12-31T23:59:59.999Z'])(
    'The text %s is a timestamp',
    (text) => {
      expect(isTimestamp(text)).toBe(true);
    },
  );
});
