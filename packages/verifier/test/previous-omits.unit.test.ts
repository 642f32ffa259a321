import { describe, expect, test } from 'vitest';
import { type Draft, draftOf, pack } from './support/bundle.js';
import { check, codes, outcomes } from './support/check.js';
import { editLines, editManifest, editRows } from './support/edit.js';
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

/** A bundle of the month, made after all of it was recorded. */
function ofJanuary(story: Story): Draft {
  story.wait(31 * 24 * 60);
  story.act('key.issued', 'key_2', { name: 'y' });
  return draftOf(story, { range: JANUARY });
}

/** Leaves the last decisions of the run out, and says so nowhere. */
function trimmed(draft: Draft, kept: number): Draft {
  editLines(draft, 'entries.ndjson', (lines) => lines.slice(0, kept + 1));
  editRows(draft, 'decisions.json', (rows) => rows.slice(0, kept));
  const last = JSON.parse(String(draft.files.get('decisions.json')).split('\n').at(-3) ?? '');
  const end = { seq: last.seq, hash: last.hash };
  const statement = JSON.parse(String(draft.files.get('chain_verification.json')));
  const told = { ...statement, records_checked: kept, end };
  draft.files.set('chain_verification.json', Buffer.from(JSON.stringify(told)));
  return editManifest(draft, { 'decisions.count': kept, 'decisions.last': end });
}

function withoutMoney(draft: Draft): Draft {
  for (const file of ['events.json', 'links.json']) draft.files.set(file, Buffer.from('[\n]\n'));
  return editLines(draft, 'activity.ndjson', (lines) => lines.filter((line) => line[0] !== '['));
}

describe('What an earlier bundle omitted', () => {
  test('Decisions that the earlier bundle left out at its end are found by a later one', async () => {
    const story = january();
    const previous = await pack(trimmed(ofJanuary(story), 3));
    expect(outcomes(await check(previous))).toBe('pass consistent pass consistent');
    const whole = await check(await pack(draftOf(story)), { previous });
    expect(codes(whole, 'completeness')).toEqual(['previous_omits', 'previous_omits']);
    expect(whole.verdicts.completeness.findings.map(({ seq }) => seq)).toEqual([4, 5]);
  });

  test('A decision recorded less than a minute before the end of the earlier bundle may be missing', async () => {
    const story = new Story();
    story.act('key.issued', 'key_1', { name: 'x' });
    story.decide();
    const late = story.decide();
    story.wait(0.5);
    // The next record is a minute and a half after the decision, and half a minute before is due.
    story.act('key.issued', 'key_2', { name: 'y' });
    const due = await pack(trimmed(draftOf(story, { range: JANUARY }), 1));
    const found = await check(await pack(draftOf(story)), { previous: due });
    expect(codes(found, 'completeness')).toEqual(['previous_omits']);

    const recent = new Story();
    recent.act('key.issued', 'key_1', { name: 'x' });
    recent.decide();
    recent.decide({ timestamp: String(late.timestamp) });
    recent.act('key.issued', 'key_2', { name: 'y' });
    const previous = await pack(trimmed(draftOf(recent, { range: JANUARY }), 1));
    const report = await check(await pack(draftOf(recent)), { previous });
    expect(codes(report, 'completeness')).toEqual([]);
  });

  test('An event and a link that the earlier bundle withheld are found by a later one', async () => {
    const story = january();
    const previous = await pack(withoutMoney(ofJanuary(story)));
    const alone = await check(previous);
    expect(outcomes(alone)).toBe('pass consistent pass consistent');
    expect(alone.verdicts.completeness.findings).toMatchObject([
      { code: 'edges_unproven' },
      { code: 'data_withheld' },
    ]);
    const report = await check(await pack(draftOf(story)), { previous });
    expect(report.verdicts.completeness).toMatchObject({
      verdict: 'fail',
      findings: [{ code: 'previous_omits', seq: 2, id: [...story.events.keys()][0] }],
    });
  });

  test('An event that was recorded after the earlier export began may be withheld there', async () => {
    const story = january();
    const before = story.activity.length;
    story.recordEvent({ ...LOSS, amount: '-1.00' });
    const draft = draftOf(story, { range: JANUARY, since: before });
    const later = await pack(draftOf(story));
    const report = await check(later, { previous: await pack(draft) });
    expect(codes(report, 'completeness')).toEqual([]);
  });
});
