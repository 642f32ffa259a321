import { describe, expect, test } from 'vitest';
import { type Draft, pack } from './support/bundle.js';
import { check, codes, outcomes } from './support/check.js';
import { draftOf, requestExport } from './support/draft.js';
import { withhold } from './support/edit.js';
import { startLogs } from './support/logs.js';
import { Story } from './support/story.js';

const JANUARY = { start: '2026-01-01T00:00:00.000Z', end: '2026-02-01T00:00:00.000Z' };
const LOSS = {
  ...{ source: 'billing', event_type: 'loss', currency: 'USD', amount: '-250000.00' },
  timestamp: '2026-01-06T00:00:00.000Z',
};

/** Five decisions and a loss, each a minute after the one before, then a key. */
function january(): Story {
  const story = new Story();
  story.act('key.issued', 'key_1', { name: 'x' });
  for (let i = 0; i < 5; i++) story.decide();
  story.createLink(String(story.decisions[2]?.row.decision_id), story.recordEvent(LOSS));
  return story;
}

/** A bundle of the month, made after all of it was recorded, with the decisions up to a seq. */
function ofJanuary(story: Story, last?: number): Draft {
  story.wait(31 * 24 * 60);
  story.act('key.issued', 'key_2', { name: 'y' });
  return draftOf(story, { range: JANUARY, ...(last !== undefined && { last }) });
}

describe('What an earlier bundle omitted', () => {
  test('Decisions that the earlier bundle left out at its end are found by a later one', async () => {
    const story = january();
    const previous = await pack(ofJanuary(story, 3));
    expect(outcomes(await check(previous))).toBe('pass consistent pass consistent');
    const whole = await check(await pack(draftOf(story)), { previous });
    expect(codes(whole, 'completeness')).toEqual(['previous_omits', 'previous_omits']);
    expect(whole.verdicts.completeness.findings.map(({ seq }) => seq)).toEqual([4, 5]);
  });

  test('A decision recorded less than a minute before the end of the earlier bundle may be missing', async () => {
    const options = { range: JANUARY };
    for (const [minutes, expected] of [[0.5, ['previous_omits']] as const, [0, []] as const]) {
      const story = new Story();
      startLogs(story);
      story.decide();
      const request = requestExport(story, options);
      story.decide();
      // The record that names the checkpoint is a minute younger.
      story.wait(minutes);
      const previous = await pack(draftOf(story, { ...options, request, last: 1 }));
      const found = await check(await pack(draftOf(story)), { previous });
      expect(codes(found, 'completeness')).toEqual(expected);
    }
  });

  test('An event that the earlier bundle withheld, with a false time, is found by a later one', async () => {
    const story = january();
    story.lie = (when) => ({ ...when, event: '2026-06-06T00:00:00.000Z' });
    const event = story.recordEvent({ ...LOSS, amount: '-1.00' });
    const previous = await pack(withhold(ofJanuary(story), [event]));
    const alone = await check(previous);
    expect(outcomes(alone)).toBe('pass consistent pass consistent');
    const { verdicts } = await check(await pack(draftOf(story)), { previous });
    expect(verdicts.integrity.findings).toMatchObject([{ code: 'when_differs' }]);
    expect(verdicts.completeness).toMatchObject({
      verdict: 'fail',
      findings: [{ code: 'previous_omits', id: event }],
    });
  });

  test('An event that was recorded after the earlier export began may be withheld there', async () => {
    const story = january();
    const options = { range: JANUARY };
    const request = requestExport(story, options);
    story.recordEvent({ ...LOSS, amount: '-1.00' });
    const draft = draftOf(story, { ...options, request });
    const later = await pack(draftOf(story));
    const report = await check(later, { previous: await pack(draft) });
    expect(codes(report, 'completeness')).toEqual([]);
  });
});
