import { describe, expect, test } from 'vitest';
import { pack } from './support/bundle.js';
import { check, codes, outcomes } from './support/check.js';
import { draftOf, requestExport } from './support/draft.js';
import { editLines, withhold } from './support/edit.js';
import { startLogs } from './support/logs.js';
import { Story } from './support/story.js';

const JANUARY = { start: '2026-01-01T00:00:00.000Z', end: '2026-02-01T00:00:00.000Z' };
const MONTH = 31 * 24 * 60;
const CHARGE = {
  ...{ source: 'billing', event_type: 'refund', currency: 'USD', amount: '99.00' },
  timestamp: '2026-01-06T00:00:00.000Z',
};

/** Decisions of January, and time for an export before later records. */
function january(decisions: number): Story {
  const story = new Story();
  story.act('key.issued', 'key_1', { name: 'x' });
  for (let i = 0; i < decisions; i++) story.decide();
  return story;
}

function later(story: Story): Story {
  story.wait(MONTH);
  story.act('key.issued', 'key_2', { name: 'y' });
  return story;
}

const withMoney = (story: Story) => {
  const { decision_id } = story.decide();
  story.createLink(String(decision_id), story.recordEvent(CHARGE));
  return story;
};

describe('Records shown by an earlier bundle', () => {
  test.each(['forensic', 'compliance'] as const)(
    'Decisions of an earlier bundle that were cut off the chain are missed in a %s bundle',
    async (exportType) => {
      const previous = await pack(draftOf(january(5), { range: JANUARY }));
      const story = later(january(3));
      const report = await check(await pack(draftOf(story, { range: JANUARY, exportType })), {
        previous,
      });
      expect(codes(report, 'completeness')).toContain('previous_contradicts');
      expect(report.verdicts.completeness.verdict).toBe('fail');
      expect(report.verdicts.completeness.findings.map(({ seq }) => seq)).toContain(4);
    },
  );

  test('A decision of an earlier bundle is missed if another, dated outside the range, replaced it', async () => {
    const previous = await pack(draftOf(january(4), { range: JANUARY }));
    const story = later(january(3));
    for (let i = 0; i < 3; i++) story.decide({ timestamp: '2025-01-01T00:00:00.000Z' });
    const report = await check(await pack(draftOf(story, { range: JANUARY })), { previous });
    expect(report.verdicts.completeness).toMatchObject({ verdict: 'fail' });
    const found = ['previous_activity', 'previous_contradicts'];
    expect(codes(report, 'completeness')).toEqual(found);
  });

  test('Missing decisions are unproven if the export began before the earlier one ended', async () => {
    const story = january(3);
    startLogs(story);
    const request = requestExport(story, { range: JANUARY });
    for (let i = 0; i < 2; i++) story.decide();
    const previous = await pack(draftOf(story, { range: JANUARY }));
    const draft = draftOf(story, { range: JANUARY, request, last: 3 });
    const report = await check(await pack(draft), { previous });
    expect(codes(report, 'completeness')).toEqual(['previous_unknown', 'previous_unknown']);
    expect(report.verdicts.completeness.verdict).toBe('unproven');
  });

  test('A bundle of another range need not repeat them', async () => {
    const story = withMoney(january(2));
    const previous = await pack(draftOf(story, { range: JANUARY }));
    later(story).decide();
    const range = { start: JANUARY.end, end: '2026-03-01T00:00:00.000Z' };
    const report = await check(await pack(draftOf(story, { range })), { previous });
    expect(outcomes(report)).toBe('pass consistent pass consistent');
  });

  test.each([
    { what: 'an event and its link', kinds: ['events', 'links'] },
    { what: 'a link', kinds: ['links'] },
  ] as const)('Withholding $what that an earlier bundle shows is found', async ({ kinds }) => {
    const story = withMoney(january(2));
    const previous = await pack(draftOf(story, { range: JANUARY }));
    const whole = await check(await pack(draftOf(later(story), { range: JANUARY })), { previous });
    expect(outcomes(whole)).toBe('pass consistent pass consistent');
    const ids = kinds.flatMap((kind) => [...story[kind].keys()]);
    const draft = withhold(draftOf(story, { range: JANUARY }), ids);
    const alone = codes(await check(await pack(draft)), 'completeness');
    expect(alone).toEqual(ids.map(() => 'withheld_in_range'));
    const report = await check(await pack(draft), { previous });
    expect(codes(report, 'completeness')).toEqual([...alone, 'previous_contradicts']);
  });
});

test('Compliance records are compared with the decisions of an earlier bundle', async () => {
  const story = january(3);
  const previous = await pack(draftOf(story, { range: JANUARY, exportType: 'compliance' }));
  const other = new Story();
  other.act('key.issued', 'key_1', { name: 'x' });
  for (let i = 0; i < 3; i++) other.decide({ inputs: { amount: '0.01' } });
  for (const exportType of ['compliance', 'forensic'] as const) {
    const report = await check(await pack(draftOf(later(other), { range: JANUARY, exportType })), {
      previous,
    });
    expect(codes(report, 'completeness')).toContain('previous_contradicts');
  }
});

test.each(['forensic', 'compliance'] as const)(
  'A %s bundle of test data cannot continue one of live data',
  async (exportType) => {
    const previous = await pack(draftOf(january(2), { range: JANUARY }));
    const story = new Story({ mode: 'test' });
    story.decide();
    const report = await check(await pack(draftOf(story, { exportType })), { previous });
    expect(codes(report, 'completeness')).toContain('previous_other_ledger');
  },
);

test('Another genesis before a run in the middle is found by an earlier bundle', async () => {
  const story = january(2);
  const previous = await pack(draftOf(story, { range: JANUARY }));
  later(story).decide();
  const range = { start: JANUARY.end, end: '2026-03-01T00:00:00.000Z' };
  const draft = editLines(draftOf(story, { range }), 'entries.ndjson', (lines) =>
    lines.map((line, at) => (at === 0 ? line.replace(/("created_at":")\d{4}/, '$12019') : line)),
  );
  expect(codes(await check(await pack(draft)), 'integrity')).toEqual([]);
  const report = await check(await pack(draft), { previous });
  expect(codes(report, 'completeness')).toEqual(['previous_contradicts']);
});
