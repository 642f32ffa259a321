import { canonicalJson } from '@decision-ledger/proof/canonical';
import { isWhen, readWhen, touchesRange, type When, whenText } from '@decision-ledger/proof/when';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

const SALT = 'A'.repeat(22);
const [event, decision] = ['2026-04-16T09:30:00.000Z', '2026-03-16T09:30:00.000Z'];

const time = fc
  .date({ min: new Date(0), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true })
  .map((date) => date.toISOString());
const when: fc.Arbitrary<When> = fc.record(
  { event: time, decision: time, others: fc.array(time, { maxLength: 4 }) },
  { requiredKeys: ['event'] },
);

describe('Times of a record', () => {
  test('A disclosure of times is canonical JSON and reads back', () => {
    fc.assert(
      fc.property(when, (times) => {
        const text = whenText(SALT, times);
        expect(text).toBe(canonicalJson([SALT, 'when', JSON.parse(JSON.stringify(times))]));
        expect(isWhen(text)).toBe(true);
        expect(readWhen(text)).toEqual(times);
      }),
    );
  });

  test.each([
    ['no disclosure', ''],
    ['another field', `["${SALT}","data",{"event":"${event}"}]`],
    ['no time of an event', `["${SALT}","when",{"decision":"${decision}"}]`],
    ['another order', `["${SALT}","when",{"event":"${event}","decision":"${decision}"}]`],
    ['another member', `["${SALT}","when",{"event":"${event}","link":"${decision}"}]`],
    ['an empty time', `["${SALT}","when",{"event":"${event}","others":[""]}]`],
    [
      'a comma after the last time',
      `["${SALT}","when",{"event":"${event}","others":["${event}",]}]`,
    ],
    ['another time that is none', `["${SALT}","when",{"event":"${event}","others":["now"]}]`],
    ['a space', `["${SALT}","when",{"event": "${event}"}]`],
    ['a short time', `["${SALT}","when",{"event":"2026-04-16T09:30:00Z"}]`],
    ['something after it', `["${SALT}","when",{"event":"${event}"}]]`],
    ['a short salt', `["AAAA","when",{"event":"${event}"}]`],
  ])('A text with %s is refused', (_name, text) => {
    expect(() => readWhen(text)).toThrow(TypeError);
  });

  test('A malformed time is not written', () => {
    expect(() => whenText(SALT, { event: 'yesterday' })).toThrow(TypeError);
    expect(() => whenText(SALT, { event, decision: `${decision}"` })).toThrow(TypeError);
    expect(() => whenText(SALT, { event, others: [`${event}"`] })).toThrow(TypeError);
  });

  test('A range has its start and not its end, and either time may lie in it', () => {
    expect(touchesRange({ event }, { start: event, end: '2027-01-01T00:00:00.000Z' })).toBe(true);
    expect(touchesRange({ event }, { start: decision, end: event })).toBe(false);
    expect(touchesRange({ event, decision }, { start: decision, end: event })).toBe(true);
    const others = [decision];
    expect(touchesRange({ event, others }, { start: decision, end: event })).toBe(true);
    expect(touchesRange({ event, others: [event] }, { start: decision, end: event })).toBe(false);
  });
});
